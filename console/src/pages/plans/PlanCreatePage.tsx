import { BackLink } from '../../components/navigation/BackLink.tsx';
import { prefetchReads } from '../../components/navigation/prefetch-reads.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { planCreateReads } from './plan-reads.ts';
import { PlanCreateForm } from './PlanCreateForm.tsx';
import { PlanFormSkeleton } from './PlanFormSkeleton.tsx';
import { useCurrencies } from './use-currencies.ts';

export const prefetch = prefetchReads(planCreateReads);

export function PlanCreatePage() {
  const currencies = useCurrencies();
  return (
    <>
      <PageTitle
        title="Create New Plan"
        context="New plans go live the next time you publish."
        back={<BackLink to={paths.plans}>Back to Plans</BackLink>}
      />
      {currencies.isSettled ? <PlanCreateForm currencies={currencies} /> : <PlanFormSkeleton />}
    </>
  );
}
