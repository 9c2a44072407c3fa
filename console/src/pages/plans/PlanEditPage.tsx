import { useParams } from 'react-router';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { prefetchReads } from '../../components/navigation/prefetch-reads.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { planEditReads } from './plan-reads.ts';
import { PlanEdit } from './PlanEdit.tsx';

export const prefetch = prefetchReads(planEditReads);

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
