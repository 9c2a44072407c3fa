import { PLAN_MESSAGES, planList } from '@meridian/contract/plans';
import { useState } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { ALL_PLANS } from '../../components/plan-query.ts';
import { paths } from '../../paths.ts';
import { NoPlans } from './NoPlans.tsx';
import { plansForTickets } from './ticket-form.ts';
import { TicketIssueForm } from './TicketIssueForm.tsx';

export function TicketIssuePage() {
  const query = useEndpointQuery(planList, ALL_PLANS);
  const { data, isFetching } = query;
  const plans = data && plansForTickets(data.plans);
  const hasPlans = plans !== undefined && plans.length > 0;
  // Another administrator may deactivate the last plan: what was typed stays.
  const [hadPlans, setHadPlans] = useState(hasPlans);
  if (hasPlans && !hadPlans) setHadPlans(true);
  return (
    <>
      <PageTitle
        title="Issue New Ticket"
        context="Create a coupon code that grants a plan when it is redeemed"
        back={<BackLink to={paths.tickets}>Back to Tickets</BackLink>}
      />
      <LoadError className="mb-4" query={query} failed={PLAN_MESSAGES.listFailed} />
      {plans?.length === 0 && !hadPlans ? (
        <NoPlans />
      ) : (
        <TicketIssueForm plans={plans} isLoading={isFetching} />
      )}
    </>
  );
}
