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
import { keysOf } from '@meridian/contract/fields';
import { decimalsOf } from '@meridian/contract/plans';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { useEndpointMutation, useIsAtWork } from '@meridian/ui/api/mutation.ts';
import { UnknownOutcomeError } from '@meridian/ui/api/outcome.ts';
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

export function CurrenciesCard({ query }: { query: EndpointQuery<typeof currencyList> }) {
  const list = useListParams(PARAMS);
  const tab = list.values.currencies;
  const all = query.data?.currencies;
  const shown = all?.filter(({ isActive }) => tab === 'all' || isActive === (tab === 'active'));
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
        actions={<ExportMenu endpoint={currencyExport} noun="currencies" total={all?.length} />}
      >
        <FilterTabs
          label="Currencies shown"
          tabs={keysOf(TABS).map((value) => ({ value, label: TABS[value] }))}
          value={tab}
          onValueChange={(currencies) => list.set({ currencies })}
        />
      </FilterBar>
      <DataTable
        label="Currencies"
        columns={COLUMNS}
        rows={shown && currenciesInOrder(shown)}
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

const TABS = { all: 'All', active: 'Active', inactive: 'Inactive' };
const PARAMS = { currencies: oneOf(keysOf(TABS), 'all') };

/** The cell that says which currency the buttons of a row mean. */
const codeIdOf = ({ id }: Currency) => `currency-${id}`;

const COLUMNS: readonly Column<Currency>[] = [
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
  { header: 'Decimals', skeleton: '1rem', width: '4.5rem', cell: decimalsOf },
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
    cell: (currency) => <CurrencyActions currency={currency} />,
  },
];

function CurrencyActions({ currency }: { currency: Currency }) {
  const params = { id: currency.id };
  const affected = { of: params, invalidates: [currencyList, currencyGet] };
  const activate = useEndpointMutation(currencyActivate, affected);
  const deactivate = useEndpointMutation(currencyDeactivate, affected);
  const isActivating = useIsAtWork(currencyActivate, params);
  const isDeactivating = useIsAtWork(currencyDeactivate, params);
  const concerns = useConcernedBy('currencyDeactivate');
  const runOnce = useRunOnce();
  const code = currency.code.toUpperCase();
  // Both are offered if the service does not say which applies.
  const choices = [false, true].filter((isActive) => isActive !== currency.isActive);

  async function setActive(isActive: boolean) {
    const call = isActive ? activate : deactivate;
    const run = () => call.mutateAsync({ params });
    // There is a question only if plans have prices in it.
    const concerned = isActive ? [] : await concerns.ask(currency.id);
    const kept = `Plans can no longer be priced in ${code}. The prices they have are kept.`;
    try {
      if (concerned.length === 0) await run();
      else {
        const isDone = await confirm({
          title: `Deactivate ${code}`,
          body: [kept, ...concerned].join('\n'),
          failed: CURRENCY_MESSAGES.toggleFailed,
          run,
        });
        if (!isDone) return;
      }
    } catch (error) {
      const isUnknown = error instanceof UnknownOutcomeError;
      await inform({
        title: `${code} ${isUnknown ? 'may have changed' : 'was not changed'}`,
        body: <FailureText error={error} failed={CURRENCY_MESSAGES.toggleFailed} />,
      });
      return;
    }
    showToast({ message: `${code} is now ${isActive ? 'active' : 'inactive'}` });
    keepPlace(document.getElementById(CURRENCIES_ANCHOR));
  }

  const codeId = codeIdOf(currency);
  return (
    <div className="flex flex-wrap gap-2 @2xl:justify-end">
      <LinkButton size="sm" to={paths.currencyEdit(currency.id)} aria-describedby={codeId}>
        Edit
      </LinkButton>
      {choices.map((isActive) => (
        <Button
          // The key keeps the button, and so the focus, when its meaning changes.
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
