import {
  type Currency,
  CURRENCY_MESSAGES,
  currencyActivate,
  currencyDeactivate,
  currencyGet,
  currencyList,
} from '@meridian/contract/currencies';
import { UnknownOutcomeError } from '../../api/unknown-outcome.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { FailureText } from '../../components/FailureText.tsx';
import { useConcernedBy } from '../../components/concerned-by.ts';
import { confirm, inform } from '../../components/dialogs/dialog-store.ts';
import { keepPlace } from '../../components/keep-place.ts';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { useIsAtWork } from '../../components/use-change.ts';
import { useRunOnce } from '../../components/use-run-once.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { CURRENCIES_ANCHOR } from './use-anchor.ts';

const AFFECTED = { invalidates: [currencyList, currencyGet] };

interface CurrencyActionsProps {
  currency: Currency;
  /** The cell that says which currency the buttons mean. */
  codeId: string;
}

export function CurrencyActions({ currency, codeId }: CurrencyActionsProps) {
  const params = { id: currency.id };
  const affected = { ...AFFECTED, of: params };
  const activate = useEndpointMutation(currencyActivate, affected);
  const deactivate = useEndpointMutation(currencyDeactivate, affected);
  const isActivating = useIsAtWork(currencyActivate, params);
  const isDeactivating = useIsAtWork(currencyDeactivate, params);
  const concerns = useConcernedBy('currencyDeactivate');
  const runOnce = useRunOnce();
  const code = currency.code.toUpperCase();
  // Both where the service did not say which it is.
  const choices = [false, true].filter((isActive) => isActive !== currency.isActive);

  async function setActive(isActive: boolean) {
    const call = isActive ? activate : deactivate;
    const run = () => call.mutateAsync({ params });
    const concerned = isActive ? [] : await concerns.ask(currency.id);
    try {
      if (concerned.length === 0) await run();
      else if (!(await ask(concerned, run))) return;
    } catch (error) {
      const body = <FailureText error={error} failed={CURRENCY_MESSAGES.toggleFailed} />;
      const isUnknown = error instanceof UnknownOutcomeError;
      await inform({
        title: `${code} ${isUnknown ? 'may have changed' : 'was not changed'}`,
        body,
      });
      return;
    }
    showToast({ message: `${code} is now ${isActive ? 'active' : 'inactive'}` });
    keepPlace(document.getElementById(CURRENCIES_ANCHOR));
  }

  /** Only where plans have prices in it. */
  function ask(concerned: readonly string[], run: () => Promise<unknown>) {
    const title = `Deactivate ${code}`;
    const failed = CURRENCY_MESSAGES.toggleFailed;
    const kept = `Plans can no longer be priced in ${code}. The prices they have are kept.`;
    return confirm({ title, body: [kept, ...concerned].join('\n'), failed, run });
  }

  return (
    <div className="flex flex-wrap gap-2 @2xl:justify-end">
      <LinkButton size="sm" to={paths.currencyEdit(currency.id)} aria-describedby={codeId}>
        Edit
      </LinkButton>
      {choices.map((isActive) => (
        <Button
          // One button for as long as there is one choice: it keeps the focus when that changes.
          key={choices.indexOf(isActive)}
          size="sm"
          busyLabel={isActive ? 'Activating...' : 'Deactivating...'}
          className="w-28 wrap-anywhere"
          busy={isActivating || isDeactivating || concerns.isAsking}
          aria-describedby={codeId}
          onClick={() => void runOnce(() => setActive(isActive))}
        >
          {isActive ? 'Activate' : 'Deactivate'}
        </Button>
      ))}
    </div>
  );
}
