import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { PlanCreateForm } from './PlanCreateForm.tsx';
import { PlanFormSkeleton } from './PlanFormSkeleton.tsx';
import { useCurrencies } from './use-currencies.ts';

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
