import { Coins } from 'lucide-react';
import {
  type Currency,
  CURRENCY_MESSAGES,
  currencyActivate,
  currencyDeactivate,
  currencyGet,
  currencyList,
} from '@meridian/contract/currencies';
import { currencyExport } from '@meridian/contract/exports';
import { decimalsOf } from '@meridian/contract/plans';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { useEndpointMutation, useIsAtWork } from '@meridian/ui/api/mutation.ts';
import type { EndpointQuery } from '@meridian/ui/api/query.ts';
import { confirm, inform } from '@meridian/ui/dialog-host.tsx';
import { FailureText } from '@meridian/ui/failures.tsx';
import { formatNumber, NOTHING } from '@meridian/ui/format.ts';
import { CURRENCIES_ANCHOR, keepPlace, useRunOnce } from '@meridian/ui/hooks.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import { type Column, DataTable } from '@meridian/ui/list/DataTable.tsx';
import { FilterBar } from '@meridian/ui/list/filters.tsx';
import { oneOf, useListParams } from '@meridian/ui/list/params.ts';
import { FilterTabs } from '@meridian/ui/tabs.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { currenciesInOrder } from '../../components/catalogue.ts';
import { useConcernedBy } from '../../components/consequences.tsx';
import { paths } from '../../paths.ts';
import { UnknownOutcomeError } from '@meridian/ui/api/outcome.ts';

interface CurrenciesCardProps {
  query: EndpointQuery<typeof currencyList>;
}

export function CurrenciesCard({ query }: CurrenciesCardProps) {
  const list = useListParams(CURRENCIES_PARAMS);
  const tab = list.values.currencies;
  const { data } = query;
  return (
    <Card aria-labelledby="currencies-title">
      <CardHeader
        title="Currencies"
        titleId="currencies-title"
        className="pb-0!"
        description="Plans can be priced in active currencies. Prices in inactive ones are kept."
        actions={<LinkButton to={paths.currencyCreate}>Add New Currency</LinkButton>}
      />
      <FilterBar
        actions={
          <ExportMenu endpoint={currencyExport} noun="currencies" total={data?.currencies.length} />
        }
      >
        <FilterTabs
          label="Currencies shown"
          tabs={CURRENCY_TABS}
          value={tab}
          onValueChange={(currencies) => list.set({ currencies })}
        />
      </FilterBar>
      <DataTable
        label="Currencies"
        columns={CURRENCY_COLUMNS}
        rows={data && currenciesOf(tab, data.currencies)}
        rowKey={(currency) => currency.id}
        query={query}
        failed={CURRENCY_MESSAGES.listFailed}
        emptyText="No currencies found"
        emptyIcon={<Coins aria-hidden="true" />}
        emptyAction={<LinkButton to={paths.currencyCreate}>Add New Currency</LinkButton>}
        onClearFilters={list.isFiltered ? list.clear : undefined}
        skeletonRows={6}
      />
    </Card>
  );
}

const codeIdOf = ({ id }: Currency) => `currency-${id}`;

const CURRENCY_COLUMNS: readonly Column<Currency>[] = [
  {
    header: 'Code',
    skeleton: '2.5rem',
    width: '4rem',
    cell: (currency) => (
      <span id={codeIdOf(currency)} className="text-mono font-medium">
        <SafeText>{currency.code.toUpperCase() || NOTHING}</SafeText>
      </span>
    ),
  },
  {
    header: 'Name',
    skeleton: '70%',
    cell: (currency) => <SafeText className="wrap-break-word">{currency.name || NOTHING}</SafeText>,
  },
  {
    header: 'Symbol',
    skeleton: '1.5rem',
    width: '4rem',
    cell: (currency) => <SafeText>{currency.symbol || NOTHING}</SafeText>,
  },
  {
    header: 'Decimals',
    skeleton: '1rem',
    width: '4.5rem',
    cell: (currency) => decimalsOf(currency),
  },
  {
    header: 'Display Order',
    skeleton: '2rem',
    width: '6rem',
    cell: (currency) => formatNumber(currency.displayOrder),
  },
  {
    header: 'Status',
    skeleton: '4.5rem',
    width: '6.5rem',
    corner: true,
    cell: ({ isActive }) => <StatusBadge status={isActive ? 'ACTIVE' : 'INACTIVE'} />,
  },
  {
    header: 'Actions',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    skeleton: '9rem',
    width: '12.375rem',
    cell: (currency) => <CurrencyActions currency={currency} codeId={codeIdOf(currency)} />,
  },
];

const AFFECTED = { invalidates: [currencyList, currencyGet] };

interface CurrencyActionsProps {
  currency: Currency;
  /** The cell that says which currency the buttons mean. */
  codeId: string;
}

function CurrencyActions({ currency, codeId }: CurrencyActionsProps) {
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

/** The tabs over the currencies, in the address as `?currencies=inactive`. */
const CURRENCIES_PARAMS = { currencies: oneOf(['all', 'active', 'inactive'], 'all') };
type CurrencyTab = (typeof CURRENCIES_PARAMS)['currencies']['fallback'];

const CURRENCY_TABS: readonly { value: CurrencyTab; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];

function currenciesOf(tab: CurrencyTab, currencies: readonly Currency[]): Currency[] {
  const shown = currencies.filter(
    ({ isActive }) => tab === 'all' || isActive === (tab === 'active'),
  );
  return currenciesInOrder(shown);
}
