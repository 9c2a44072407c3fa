import { currencyList } from '@meridian/contract/currencies';
import { prefetchEndpoint } from '../../api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { PlanCreateForm } from './PlanCreateForm.tsx';
import { PlanFormSkeleton } from './PlanFormSkeleton.tsx';
import { useCurrencies } from './use-currencies.ts';

export const prefetch: Prefetch = () => prefetchEndpoint(currencyList, ALL_CURRENCIES);

export function PlanCreatePage() {
  const currencies = useCurrencies();
  return (
    <>
      <PageTitle
        title="Create New Plan"
        context="The public sees it after the next publish."
        back={<BackLink to={paths.plans}>Back to Plans</BackLink>}
      />
      {currencies.isSettled ? <PlanCreateForm currencies={currencies} /> : <PlanFormSkeleton />}
    </>
  );
}
