import {
  type Plan,
  PLAN_MESSAGES,
  planGet,
  planList,
  planSetActive,
  planSetVisibility,
} from '@meridian/contract/plans';
import { Button } from '@meridian/ui/Button.tsx';
import { CardFooter } from '@meridian/ui/Card.tsx';
import { useChange, useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { ChangeError } from '@meridian/ui/failures.tsx';
import { LinkButton } from '@meridian/ui/links.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { useConcernedBy } from '../../components/consequences.tsx';
import { paths } from '../../paths.ts';

const AFFECTED = { invalidates: [planList, planGet] };

interface PlanActionsProps {
  plan: Plan;
  /** The heading that says which plan the buttons mean. */
  titleId: string;
  onChanged: () => void;
  /** As people read it. */
  name: string;
}

/** Asked only where anyone has the plan, or can still get it. */
function question(name: string, concerned: readonly string[], run: () => Promise<unknown>) {
  const body = [`No new tickets can be issued for ${name}.`, ...concerned].join('\n');
  const busyLabel = 'Deactivating...';
  return { title: 'Deactivate Plan', body, busyLabel, failed: PLAN_MESSAGES.activeFailed, run };
}

export function PlanActions({ plan, name, titleId, onChanged }: PlanActionsProps) {
  const params = { id: plan.id };
  const affected = { ...AFFECTED, of: params };
  const activity = useChange(planSetActive, { ...affected, failed: PLAN_MESSAGES.activeFailed });
  // Its failure is shown in the dialog.
  const confirmed = useEndpointMutation(planSetActive, affected);
  const concerns = useConcernedBy('planDeactivate');
  const visibility = useChange(planSetVisibility, {
    ...affected,
    failed: PLAN_MESSAGES.visibilityFailed,
  });

  async function toggleActivity() {
    const isActive = !plan.isActive;
    const change = { params, body: { isActive } };
    activity.reset();
    const concerned = isActive ? [] : await concerns.ask(plan.id);
    const run = () => confirmed.mutateAsync(change);
    if (concerned.length === 0) await activity.mutateAsync(change);
    else if (!(await confirm(question(name, concerned, run)))) return;
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
      <ChangeError className="mx-5 mb-4" change={activity} failed={PLAN_MESSAGES.activeFailed} />
      <ChangeError
        className="mx-5 mb-4"
        change={visibility}
        failed={PLAN_MESSAGES.visibilityFailed}
      />
      {/* On a phone the three would not stand in one line. */}
      <CardFooter className="@max-xl:*:px-2">
        <LinkButton to={paths.planEdit(plan.id)} aria-describedby={titleId}>
          Edit
        </LinkButton>
        <Button
          busy={activity.isPending || concerns.isAsking}
          busyLabel={plan.isActive ? 'Deactivating...' : 'Activating...'}
          aria-describedby={titleId}
          onClick={() => activity.run(toggleActivity)}
        >
          {plan.isActive ? 'Deactivate' : 'Activate'}
        </Button>
        <Button
          className="ms-auto"
          busy={visibility.isPending}
          busyLabel={plan.isVisible ? 'Hiding...' : 'Showing...'}
          aria-describedby={titleId}
          onClick={() => visibility.run(toggleVisibility)}
        >
          {plan.isVisible ? 'Hide' : 'Show'}
        </Button>
      </CardFooter>
    </>
  );
}
