import {
  type Plan,
  PLAN_MESSAGES,
  planGet,
  planList,
  planSetActive,
  planSetVisibility,
} from '@meridian/contract/plans';
import { messageOf } from '../../api/api-error.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { useRunOnce } from '../../components/use-run-once.ts';
import { paths } from '../../paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { CardFooter } from '../../ui/CardFooter.tsx';

const AFFECTED = { invalidates: [planList, planGet] };

interface PlanActionsProps {
  plan: Plan;
  /** The heading that says which plan the buttons mean. */
  titleId: string;
  onChanged: () => void;
}

export function PlanActions({ plan, titleId, onChanged }: PlanActionsProps) {
  const activity = useEndpointMutation(planSetActive, AFFECTED);
  const visibility = useEndpointMutation(planSetVisibility, AFFECTED);
  const runActivity = useRunOnce();
  const runVisibility = useRunOnce();
  const params = { id: plan.id };

  // A failure of either is shown by the state of its mutation.
  function toggleActivity() {
    const body = { isActive: !plan.isActive };
    runActivity(() => activity.mutateAsync({ params, body })).then(onChanged, () => {});
  }
  function toggleVisibility() {
    const body = { isVisible: !plan.isVisible };
    runVisibility(() => visibility.mutateAsync({ params, body })).then(onChanged, () => {});
  }

  return (
    <>
      {activity.isError && (
        <Alert className="mx-5 mb-4" onDismiss={activity.reset}>
          {messageOf(activity.error, PLAN_MESSAGES.activeFailed)}
        </Alert>
      )}
      {visibility.isError && (
        <Alert className="mx-5 mb-4" onDismiss={visibility.reset}>
          {messageOf(visibility.error, PLAN_MESSAGES.visibilityFailed)}
        </Alert>
      )}
      <CardFooter>
        <LinkButton to={paths.planEdit(plan.id)} aria-describedby={titleId}>
          Edit
        </LinkButton>
        <Button busy={activity.isPending} aria-describedby={titleId} onClick={toggleActivity}>
          {plan.isActive ? 'Deactivate' : 'Activate'}
        </Button>
        <Button
          className="ms-auto"
          busy={visibility.isPending}
          aria-describedby={titleId}
          onClick={toggleVisibility}
        >
          {plan.isVisible ? 'Hide' : 'Show'}
        </Button>
      </CardFooter>
    </>
  );
}
