import { CURRENCY_MESSAGES, currencyGet } from '@meridian/contract/currencies';
import { isNotFound } from '../../api/api-error.ts';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useFirstAnswer } from '../../components/form/use-first-answer.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { CurrencyEditForm } from './CurrencyEditForm.tsx';

/** Loads the currency, then hands it to the form, which it is the start of and nothing more. */
export function CurrencyEdit({ id }: { id: string }) {
  const query = useEndpointQuery(currencyGet, { params: { id } });
  const first = useFirstAnswer(query);

  if (first !== undefined) return <CurrencyEditForm currency={first.currency} />;
  if (query.error === null) {
    return (
      <>
        <LoadingNote />
        <Card as="div" className="h-[27rem] max-w-xl" />
      </>
    );
  }
  if (isNotFound(query.error)) {
    return (
      <Card as="div">
        <EmptyState action={<LinkButton to={paths.currencies}>Back to Currencies</LinkButton>}>
          {CURRENCY_MESSAGES.notFound}
        </EmptyState>
      </Card>
    );
  }
  return (
    <LoadError
      error={query.error}
      failed={CURRENCY_MESSAGES.loadFailed}
      isRetrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}
