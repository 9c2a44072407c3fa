import { englishOr } from '@meridian/contract/fields';
import { planGet } from '@meridian/contract/plans';
import { useParams } from 'react-router';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { TierBadge } from '../../components/TierBadge.tsx';
import { paths } from '../../paths.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { PlanEdit } from './PlanEdit.tsx';

export function PlanEditPage() {
  const { planId = '' } = useParams();
  const { data } = useEndpointQuery(planGet, { params: { id: planId } });
  const plan = data?.plan;
  const name = englishOr(plan?.displayName, plan?.name ?? '');
  return (
    <>
      <PageTitle
        tabTitle={plan === undefined ? 'Edit Plan' : `Edit Plan: ${name}`}
        title={
          plan === undefined ? (
            'Edit Plan'
          ) : (
            <span className="inline-flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span>
                Edit Plan: <SafeText>{name}</SafeText>
              </span>
              <TierBadge tier={plan.tier} />
            </span>
          )
        }
        context="Changes go live the next time you publish."
        back={<BackLink to={paths.plans}>Back to Plans</BackLink>}
      />
      {/* From one plan straight to another everything starts anew. */}
      <PlanEdit key={planId} id={planId} />
    </>
  );
}
