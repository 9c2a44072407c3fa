import { currencyList } from '@meridian/contract/currencies';
import { planGet } from '@meridian/contract/plans';
import { useParams } from 'react-router';
import { prefetchEndpoint } from '../../api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { PlanEdit } from './PlanEdit.tsx';

export const prefetch: Prefetch = ({ params: { planId = '' } }) => {
  prefetchEndpoint(planGet, { params: { id: planId } });
  prefetchEndpoint(currencyList, ALL_CURRENCIES);
};

export function PlanEditPage() {
  const { planId = '' } = useParams();
  return (
    <>
      <PageTitle
        title="Edit Plan"
        context="The public sees changes after the next publish."
        back={<BackLink to={paths.plans}>Back to Plans</BackLink>}
      />
      {/* From one plan straight to another everything starts anew. */}
      <PlanEdit key={planId} id={planId} />
    </>
  );
}
