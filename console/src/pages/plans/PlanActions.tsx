import {
  type Plan,
  PLAN_MESSAGES,
  planGet,
  planList,
  planSetActive,
  planSetVisibility,
} from '@meridian/contract/plans';
import { FailureText } from '../../components/FailureText.tsx';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { useRunOnce } from '../../components/use-run-once.ts';
import { paths } from '../../paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { CardFooter } from '../../ui/CardFooter.tsx';
import { showToast } from '../../ui/toast-store.ts';

/** A failure is shown by the state of its mutation. */
const ignoreFailure = () => {};
const AFFECTED = { invalidates: [planList, planGet] };

interface PlanActionsProps {
  plan: Plan;
  /** The heading that says which plan the buttons mean. */
  titleId: string;
  onChanged: () => void;
  /** As people read it. */
  name: string;
}

export function PlanActions({ plan, name, titleId, onChanged }: PlanActionsProps) {
  const activity = useEndpointMutation(planSetActive, AFFECTED);
  const visibility = useEndpointMutation(planSetVisibility, AFFECTED);
  const runActivity = useRunOnce();
  const runVisibility = useRunOnce();
  const params = { id: plan.id };

  async function toggleActivity() {
    const isActive = !plan.isActive;
    await activity.mutateAsync({ params, body: { isActive } });
    showToast({ message: `${name} is now ${isActive ? 'active' : 'inactive'}` });
    onChanged();
  }
  async function toggleVisibility() {
    const isVisible = !plan.isVisible;
    await visibility.mutateAsync({ params, body: { isVisible } });
    showToast({ message: `${name} is now ${isVisible ? 'visible' : 'hidden'}` });
    onChanged();
  }

  return (
    <>
      {activity.isError && (
        <Alert className="mx-5 mb-4" onDismiss={activity.reset}>
          <FailureText error={activity.error} failed={PLAN_MESSAGES.activeFailed} />
        </Alert>
      )}
      {visibility.isError && (
        <Alert className="mx-5 mb-4" onDismiss={visibility.reset}>
          <FailureText error={visibility.error} failed={PLAN_MESSAGES.visibilityFailed} />
        </Alert>
      )}
      {/* On a phone the three would not stand in one line. */}
      <CardFooter className="max-sm:*:px-2">
        <LinkButton to={paths.planEdit(plan.id)} aria-describedby={titleId}>
          Edit
        </LinkButton>
        <Button
          busy={activity.isPending}
          busyLabel={plan.isActive ? 'Deactivating...' : 'Activating...'}
          aria-describedby={titleId}
          onClick={() => void runActivity(toggleActivity).catch(ignoreFailure)}
        >
          {plan.isActive ? 'Deactivate' : 'Activate'}
        </Button>
        <Button
          className="ms-auto"
          busy={visibility.isPending}
          busyLabel={plan.isVisible ? 'Hiding...' : 'Showing...'}
          aria-describedby={titleId}
          onClick={() => void runVisibility(toggleVisibility).catch(ignoreFailure)}
        >
          {plan.isVisible ? 'Hide' : 'Show'}
        </Button>
      </CardFooter>
    </>
  );
}
