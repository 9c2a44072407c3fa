import { PLAN_MESSAGES, planList } from '@meridian/contract/plans';
import { prefetchEndpoint, useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { ALL_PLANS } from '../../components/plan-query.ts';
import { NoPlans } from './NoPlans.tsx';
import { plansForTickets } from './ticket-form.ts';
import { TicketIssueForm } from './TicketIssueForm.tsx';

export const prefetch: Prefetch = () => prefetchEndpoint(planList, ALL_PLANS);

export function TicketIssuePage() {
  const { data, error, isFetching, refetch } = useEndpointQuery(planList, ALL_PLANS);
  const plans = data && plansForTickets(data.plans);
  return (
    <>
      <PageTitle
        title="Issue New Ticket"
        context="A coupon code that grants a plan to whoever redeems it"
      />
      {error !== null && (
        <LoadError
          className="mb-4"
          error={error}
          failed={PLAN_MESSAGES.listFailed}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {plans?.length === 0 ? <NoPlans /> : <TicketIssueForm plans={plans} />}
    </>
  );
}
