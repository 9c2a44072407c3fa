import { CURRENCY_MESSAGES, type currencyList } from '@meridian/contract/currencies';
import { currencyExport } from '@meridian/contract/exports';
import { Coins } from 'lucide-react';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { ExportMenu } from '../../components/export/ExportMenu.tsx';
import { DataTable } from '../../components/list/DataTable.tsx';
import { FilterBar } from '../../components/list/FilterBar.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { FilterTabs } from '../../ui/FilterTabs.tsx';
import { CURRENCIES_PARAMS, currenciesOf, CURRENCY_TABS } from './currencies-query.ts';
import { CURRENCY_COLUMNS } from './currency-columns.tsx';

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
