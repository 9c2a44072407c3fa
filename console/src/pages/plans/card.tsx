import { englishOr } from '@meridian/contract/fields';
import { PLAN_LIMIT_DISPLAY_DEFAULTS, type PlanLimits } from '@meridian/contract/plan-limits';
import {
  type Plan,
  PLAN_MESSAGES,
  planGet,
  planList,
  planSetActive,
  planSetVisibility,
} from '@meridian/contract/plans';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardFooter } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { useChange, useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { cx } from '@meridian/ui/classes.ts';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { ChangeError } from '@meridian/ui/failures.tsx';
import { formatNumber, LOCALE, NOTHING } from '@meridian/ui/format.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { StatusBadge, TierBadge } from '../../components/badges.tsx';
import { useConcernedBy } from '../../components/consequences.tsx';
import { limitText } from '../../components/limits.tsx';
import { paths } from '../../paths.ts';

interface PlanCardProps {
  /** Undefined while the list loads: the card is then a skeleton. */
  plan?: Plan;
  /** A change may take the card out of the list in view, and the focus with it. */
  onChanged?: () => void;
}

export function PlanCard({ plan, onChanged }: PlanCardProps) {
  const name = englishOr(plan?.displayName, plan?.name ?? '');
  const isQuiet = plan !== undefined && !(plan.isActive && plan.isVisible);
  const titleId = plan && `plan-${plan.id}`;
  return (
    <Card
      as="li"
      aria-hidden={plan === undefined || undefined}
      aria-labelledby={titleId}
      tabIndex={plan && -1}
      className={cx('flex flex-col', isQuiet && 'bg-transparent')}
    >
      <div className="flex flex-1 flex-col px-5 pt-5 pb-4">
        <div className="flex flex-wrap items-center gap-1.5">
          {plan ? <TierBadge tier={plan.tier} /> : <Skeleton round width="4.5rem" height={BADGE} />}
          <span className="ms-auto flex flex-wrap gap-1.5">
            {plan ? (
              <StatusBadge status={plan.isActive ? 'ACTIVE' : 'INACTIVE'} />
            ) : (
              <Skeleton round width="4.25rem" height={BADGE} />
            )}
            {plan?.isVisible === false && <StatusBadge status="HIDDEN" />}
          </span>
        </div>
        <h2
          id={titleId}
          title={plan && name}
          className={cx(
            'mt-3 text-lg',
            plan && 'line-clamp-2 wrap-anywhere',
            isQuiet ? 'text-muted' : 'text-text',
          )}
        >
          {plan ? <SafeText>{name}</SafeText> : <Skeleton width="8rem" />}
        </h2>
        {/* Grows, so that the prices of a row stand on one line. */}
        <div className="mt-1 min-h-[2lh] flex-1 text-sm text-muted">
          {plan ? (
            <p className="line-clamp-3 wrap-anywhere">
              <SafeText>{englishOr(plan.description, PLAN_MESSAGES.noDescription)}</SafeText>
            </p>
          ) : (
            <>
              <Skeleton width="90%" />
              <br />
              <Skeleton width="40%" />
            </>
          )}
        </div>
        <PlanPrice plan={plan} isQuiet={isQuiet} />
        <PlanFigures plan={plan} />
      </div>
      {plan ? (
        <PlanActions plan={plan} name={name} titleId={`plan-${plan.id}`} onChanged={onChanged} />
      ) : (
        <CardFooter>
          <Skeleton width="3.25rem" height={CONTROL} />
          <Skeleton width="6rem" height={CONTROL} />
          <Skeleton width="3.75rem" height={CONTROL} className="ms-auto" />
        </CardFooter>
      )}
    </Card>
  );
}

const BADGE = '1.375rem';
const CONTROL = 'var(--control-height)';

function PlanPrice({ plan, isQuiet }: { plan: Plan | undefined; isQuiet: boolean }) {
  const monthly = plan?.priceMonthly;
  return (
    <p className="mt-3 flex flex-wrap items-baseline gap-x-4 border-b border-border pb-4 text-base text-muted">
      <span>
        <span className={cx('text-[1.375rem] font-semibold', !isQuiet && 'text-text')}>
          {monthly === undefined && <Skeleton width="11rem" />}
          {monthly === null ? 'Free' : monthly && usdPriceText(monthly)}
        </span>
        {monthly && ' / month'}
      </span>
      {plan && monthly && <span>{usdPriceText(plan.priceYearly)} / year</span>}
    </p>
  );
}

function PlanFigures({ plan }: { plan: Plan | undefined }) {
  // The left column holds the longest pair: 'Pending posts' and 'Unlimited'.
  const columns = '@xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]!';
  if (plan === undefined) {
    return (
      <div className={cx('mt-4 grid gap-x-4 gap-y-1.5 text-sm', columns)}>
        {[...CARD_LIMITS, ['order']].map(([name]) => (
          <div key={name}>
            <Skeleton />
          </div>
        ))}
      </div>
    );
  }
  return (
    <DescriptionList dense minColumn="100%" className={cx('mt-4', columns)}>
      {CARD_LIMITS.map(([name, label]) => (
        <DescriptionItem key={name} inline label={label}>
          {cardLimitText(name, plan.limits)}
        </DescriptionItem>
      ))}
      <DescriptionItem inline label="Order">
        {formatNumber(plan.displayOrder)}
      </DescriptionItem>
    </DescriptionList>
  );
}

interface PlanActionsProps {
  plan: Plan;
  name: string;
  /** The heading that says which plan the buttons mean. */
  titleId: string;
  onChanged: (() => void) | undefined;
}

function PlanActions({ plan, name, titleId, onChanged }: PlanActionsProps) {
  const params = { id: plan.id };
  const affected = { of: params, invalidates: [planList, planGet] };
  const activity = useChange(planSetActive, { ...affected, failed: PLAN_MESSAGES.activeFailed });
  const confirmed = useEndpointMutation(planSetActive, affected); // The dialog shows its failure.
  const concerns = useConcernedBy('planDeactivate');
  const visibility = useChange(planSetVisibility, {
    ...affected,
    failed: PLAN_MESSAGES.visibilityFailed,
  });

  function tell(state: string) {
    showToast({ message: `${name} is now ${state}` });
    onChanged?.();
  }
  async function toggleActivity() {
    const isActive = !plan.isActive;
    const change = { params, body: { isActive } };
    activity.reset();
    // There is a question only if someone has the plan, or can still get it.
    const concerned = isActive ? [] : await concerns.ask(plan.id);
    if (concerned.length === 0) await activity.mutateAsync(change);
    else {
      const isDone = await confirm({
        title: 'Deactivate Plan',
        body: [`No new tickets can be issued for ${name}.`, ...concerned].join('\n'),
        busyLabel: 'Deactivating...',
        failed: PLAN_MESSAGES.activeFailed,
        run: () => confirmed.mutateAsync(change),
      });
      if (!isDone) return;
    }
    tell(isActive ? 'active' : 'inactive');
  }
  async function toggleVisibility() {
    const isVisible = !plan.isVisible;
    await visibility.mutateAsync({ params, body: { isVisible } });
    tell(isVisible ? 'visible' : 'hidden');
  }

  const error = 'mx-5 mb-4';
  return (
    <>
      <ChangeError className={error} change={activity} failed={PLAN_MESSAGES.activeFailed} />
      <ChangeError className={error} change={visibility} failed={PLAN_MESSAGES.visibilityFailed} />
      {/* Three buttons fit into one line of a phone only with less padding. */}
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

/** The labels are short enough for half of a card. */
const CARD_LIMITS = [
  ['pending_posts_limit', 'Pending posts'],
  ['schedule_interval_minutes', 'Interval'],
  ['max_post_length', 'Max length'],
  ['thread_posts_limit', 'Thread posts'],
  ['max_images_per_post', 'Images'],
  ['max_image_size_mb', 'Image size'],
  ['storage_mb', 'Storage'],
] as const;

/** A limit of null is not available; a missing one is not known. */
function cardLimitText(name: string, limits: PlanLimits): string {
  const defaults: Readonly<Record<string, number>> = PLAN_LIMIT_DISPLAY_DEFAULTS;
  const value = limits[name] ?? defaults[name] ?? limits[name];
  return value === undefined ? NOTHING : limitText(name, value);
}

/** '$4.90', or '–' for a plan without this price in US dollars. */
export function usdPriceText(prices: Plan['priceMonthly']): string {
  const amount = prices?.['usd'];
  return amount === undefined ? NOTHING : dollars.format(amount);
}

const dollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4, // A currency has up to four decimals.
});
