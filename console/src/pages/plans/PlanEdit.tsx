import { type Plan, PLAN_MESSAGES, planGet } from '@meridian/contract/plans';
import { isNotFound, messageOf } from '../../api/api-error.ts';
import { HistoryCard } from '../../components/audit/HistoryCard.tsx';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useEditStart } from '../../components/form/use-edit-start.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { PlanValues } from './plan-values.ts';
import { PlanEditForm } from './PlanEditForm.tsx';
import { PlanFormSkeleton } from './PlanFormSkeleton.tsx';
import { useCurrencies } from './use-currencies.ts';

/** Loads the plan, then hands it to the form, which it is the start of and nothing more. */
export function PlanEdit({ id }: { id: string }) {
  const query = useEndpointQuery(planGet, { params: { id } });
  const currencies = useCurrencies();
  const { data, isFetching } = query;
  const { start, startOver, box } = useEditStart<Plan, PlanValues>(data?.plan, isFetching);

  if (start !== undefined && currencies.isSettled) {
    return (
      <div ref={box} tabIndex={-1}>
        <PlanEditForm
          key={start.entity.version}
          start={start}
          currencies={currencies}
          onStartOver={startOver}
        />
        <div className="mt-4">
          <HistoryCard entity="plan" entityId={id} />
        </div>
      </div>
    );
  }
  if (query.error === null) return <PlanFormSkeleton />;
  if (isNotFound(query.error)) {
    return (
      <Card as="div">
        <EmptyState action={<LinkButton to={paths.plans}>Back to Plans</LinkButton>}>
          {messageOf(query.error, PLAN_MESSAGES.loadFailed)}
        </EmptyState>
      </Card>
    );
  }
  return <LoadError query={query} failed={PLAN_MESSAGES.loadFailed} />;
}
