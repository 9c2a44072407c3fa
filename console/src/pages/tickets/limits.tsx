import { englishOr } from '@meridian/contract/fields';
import {
  PLAN_LIMIT_LABELS,
  type PlanLimitName,
  type PlanLimits,
} from '@meridian/contract/plan-limits';
import type { Plan } from '@meridian/contract/plans';
import type { Ticket } from '@meridian/contract/tickets';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import {
  type LimitInForce,
  limitInForce,
  limitLabel,
  type Limits,
  limitText,
  type LimitValue,
  OverrideMark,
} from '../../components/limits.tsx';

/** The limits of the plan beside those of the ticket; while it loads, only their names. */
export function TicketLimits({ ticket }: { ticket: Ticket | undefined }) {
  const groups = compareLimits(ticket?.plan.limits ?? {}, ticket?.limitsOverride ?? null);
  return (
    <Card aria-labelledby="ticket-limits">
      <CardHeader
        title="Plan Limits"
        titleId="ticket-limits"
        actions={
          ticket && (
            <span className="text-sm text-muted">{overridesText(countOverrides(groups))}</span>
          )
        }
      />
      <CardBody className="@container">
        <div className="grid items-start gap-x-8 gap-y-6 @xl:grid-cols-2">
          {groups.map(({ title, limits }) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-2 text-base font-semibold">{title}</h3>
              <table aria-label={title} className="w-full table-fixed text-sm">
                <thead>
                  <tr className={ROW}>
                    <th scope="col" className={`${HEADER} ${NAME} w-[38%] text-start`}>
                      Limit
                    </th>
                    <th scope="col" className={`${HEADER} ${OF_PLAN}`}>
                      Plan
                    </th>
                    <th scope="col" className={`${HEADER} w-[40%] text-end @max-3xs:w-auto`}>
                      This ticket
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {limits.map((limit) => (
                    <LimitRow key={limit.name} limit={limit} isKnown={ticket !== undefined} />
                  ))}
                </tbody>
              </table>
            </section>
          ))}
        </div>
      </CardBody>
    </Card>
  );
}

const HEADER = 'pb-1 text-xs font-medium text-muted';

/** Three columns do not fit on a phone with large letters: the name stands above the values. */
const ROW = '@max-3xs:flex @max-3xs:flex-wrap @max-3xs:justify-between';
const NAME = '@max-3xs:w-full';
const OF_PLAN = 'text-end @max-3xs:text-start';

function LimitRow({ limit, isKnown }: { limit: LimitInForce; isKnown: boolean }) {
  const { name, ofPlan, effective, isOverridden } = limit;
  const textOf = (value: LimitValue) =>
    isKnown ? limitText(name, value) : <Skeleton width="2.5rem" />;
  return (
    <tr className={`border-t border-border align-baseline ${ROW}`}>
      <th scope="row" className={`py-1.5 pe-2 text-start font-normal text-muted ${NAME}`}>
        {limitLabel(name)}
      </th>
      <td className={`py-1.5 tabular-nums ${OF_PLAN}`}>{textOf(ofPlan)}</td>
      <td className="py-1.5 ps-2 text-end tabular-nums">
        <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
          {isOverridden && <OverrideMark />}
          <span className={isOverridden ? 'font-semibold' : 'text-muted'}>{textOf(effective)}</span>
        </span>
      </td>
    </tr>
  );
}

interface EffectiveLimitsProps {
  plan: Plan | undefined;
  overrides: PlanLimits;
}

export function EffectiveLimits({ plan, overrides }: EffectiveLimitsProps) {
  return (
    <Card
      aria-labelledby="effective-limits"
      className="@3xl:sticky @3xl:top-4 @3xl:col-start-2 @3xl:row-span-3 @3xl:row-start-1"
    >
      <CardHeader
        title="Effective limits"
        titleId="effective-limits"
        description={
          plan === undefined
            ? 'Choose a plan to see what the ticket grants.'
            : `What the ticket grants with ${englishOr(plan.displayName, plan.name)}.`
        }
      />
      {plan !== undefined && (
        <CardBody className="flex flex-col gap-4">
          {compareLimits(plan.limits, overrides).map(({ title, limits }) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
              <DescriptionList dense minColumn="15rem">
                {limits.map(({ name, effective, isOverridden }) => (
                  <DescriptionItem key={name} inline label={limitLabel(name)}>
                    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
                      {isOverridden && <OverrideMark />}
                      {limitText(name, effective)}
                    </span>
                  </DescriptionItem>
                ))}
              </DescriptionList>
            </section>
          ))}
        </CardBody>
      )}
    </Card>
  );
}

/** Limits that no group names are listed among the content. */
export function compareLimits(ofPlan: Limits, override: Limits | null): LimitGroup[] {
  const unknown = Object.keys({ ...ofPlan, ...override }).filter(
    (name) => !(name in PLAN_LIMIT_LABELS),
  );
  return GROUPS.map(({ title, names }) => ({
    title,
    limits: [...names, ...(title === 'Content' ? unknown : [])].map((name) =>
      limitInForce(name, ofPlan, override),
    ),
  }));
}

interface LimitGroup {
  title: string;
  limits: readonly LimitInForce[];
}

const GROUPS: readonly { title: string; names: readonly PlanLimitName[] }[] = [
  {
    title: 'Posts & Scheduling',
    names: [
      'monthly_posts_limit',
      'pending_posts_limit',
      'concurrent_posts_limit',
      'max_schedule_days',
      'schedule_interval_minutes',
      'api_rate_limit_per_hour',
    ],
  },
  {
    title: 'Content',
    names: [
      'max_post_length',
      'markdown_support',
      'thread_posts',
      'thread_posts_limit',
      'storage_mb',
      'data_retention_days',
    ],
  },
  { title: 'Images', names: ['max_images_per_post', 'max_image_size_mb'] },
  {
    title: 'Video',
    names: ['video_upload_enabled', 'max_video_size_mb', 'video_processing_minutes_per_month'],
  },
];

export function countOverrides(groups: readonly LimitGroup[]): number {
  return groups.flatMap(({ limits }) => limits).filter(({ isOverridden }) => isOverridden).length;
}

export function overridesText(count: number): string {
  if (count === 0) return 'No overrides';
  return count === 1 ? '1 override' : `${count} overrides`;
}
