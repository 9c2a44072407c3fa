import { Layers } from 'lucide-react';
import { useRef } from 'react';
import { planExport } from '@meridian/contract/exports';
import { englishOr } from '@meridian/contract/fields';
import { PLAN_LIMIT_DISPLAY_DEFAULTS, type PlanLimits } from '@meridian/contract/plan-limits';
import { type Plan, PLAN_MESSAGES, planList, planPublish } from '@meridian/contract/plans';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardFooter } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { useChange } from '@meridian/ui/api/mutation.ts';
import { prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { cx } from '@meridian/ui/classes.ts';
import { ChangeError, LoadError } from '@meridian/ui/failures.tsx';
import { formatNumber, LOCALE, NOTHING } from '@meridian/ui/format.ts';
import { keepPlace } from '@meridian/ui/hooks.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import { ListCount } from '@meridian/ui/list/Pager.tsx';
import { oneOf, useListParams } from '@meridian/ui/list/params.ts';
import { EmptyState, LoadingNote, Skeleton } from '@meridian/ui/placeholders.tsx';
import { type FilterTab, FilterTabs } from '@meridian/ui/tabs.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { StatusBadge, TierBadge } from '../../components/badges.tsx';
import { ALL_PLANS, plansInOrder } from '../../components/catalogue.ts';
import { limitText, type LimitValue } from '../../components/limits.tsx';
import { paths } from '../../paths.ts';
import { PlanActions } from './actions.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';

export function loader(): void {
  prefetch(planList, ALL_PLANS);
}

export function Component() {
  const list = useListParams(PLANS_PARAMS);
  const { tab } = list.values;
  const query = useEndpointQuery(planList, ALL_PLANS);
  const { data, error } = query;
  const publish = useChange(planPublish, { of: {}, failed: PLAN_MESSAGES.publishFailed });
  const filters = useRef<HTMLDivElement>(null);
  const shown = data && plansOf(tab, data.plans);

  async function publishAll() {
    const { publishedCount, individualUrls } = await publish.mutateAsync({});
    showToast({ message: PLAN_MESSAGES.published(publishedCount, individualUrls.length) });
  }

  return (
    <>
      <PageTitle
        title="Plans"
        context="Plans people can subscribe to, and their limits"
        actions={
          <>
            <Button
              busy={publish.isPending}
              busyLabel="Publishing..."
              onClick={() => publish.run(publishAll)}
            >
              Publish
            </Button>
            <LinkButton to={paths.planCreate} variant="primary">
              Create New Plan
            </LinkButton>
          </>
        }
      />
      <ChangeError className="mb-4" change={publish} failed={PLAN_MESSAGES.publishFailed} />
      <LoadError className="mb-4" query={query} failed={PLAN_MESSAGES.listFailed} />
      {(data !== undefined || error === null) && (
        <div ref={filters} className="mb-4 flex flex-wrap items-center justify-between gap-2.5">
          <FilterTabs
            label="Plans shown"
            tabs={planTabs(data?.plans ?? [])}
            value={tab}
            onValueChange={(next) => list.set({ tab: next })}
            loading={data === undefined}
          />
          <div className="flex items-center gap-2.5 @max-xl:basis-full">
            <ListCount rows={shown?.length} total={shown?.length} noun="plans" />
            <ExportMenu endpoint={planExport} noun="plans" total={data?.plans.length} />
          </div>
        </div>
      )}
      {shown?.length === 0 ? (
        <Card as="div">
          <EmptyState
            icon={<Layers aria-hidden="true" />}
            action={
              list.isFiltered ? (
                <Button onClick={list.clear}>Clear filters</Button>
              ) : (
                <LinkButton to={paths.planCreate}>Create New Plan</LinkButton>
              )
            }
          >
            {PLAN_MESSAGES.none}
          </EmptyState>
        </Card>
      ) : (
        (shown !== undefined || error === null) && (
          <PlanGrid
            plans={shown}
            tab={() => filters.current?.querySelector('[aria-pressed=true]')}
          />
        )
      )}
    </>
  );
}

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];
const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4';

interface PlanGridProps {
  plans: readonly Plan[] | undefined;
  /** Where to read on when the last card has left the list. */
  tab: () => HTMLElement | null | undefined;
}

/** The cards, or their boxes while it is not known what they hold. */
export function PlanGrid({ plans, tab }: PlanGridProps) {
  const list = useRef<HTMLUListElement>(null);

  /** A card that leaves the list hands on to the one that takes its place. */
  const cardAt = (index: number) => {
    const cards = list.current?.children;
    const card = cards?.[Math.min(index, cards.length - 1)];
    return card instanceof HTMLElement ? card : tab();
  };

  if (plans === undefined) {
    return (
      <>
        <LoadingNote />
        <ul className={GRID}>
          {SKELETONS.map((key) => (
            <PlanCardSkeleton key={key} />
          ))}
        </ul>
      </>
    );
  }
  return (
    <ul ref={list} aria-label="Plans" className={GRID}>
      {plans.map((plan, index) => (
        <PlanCard key={plan.id} plan={plan} onChanged={() => keepPlace(() => cardAt(index))} />
      ))}
    </ul>
  );
}

interface PlanCardProps {
  plan: Plan;
  /** A change may take the card out of the list in view, and the focus with it. */
  onChanged: () => void;
}

export function PlanCard({ plan, onChanged }: PlanCardProps) {
  const name = englishOr(plan.displayName, plan.name);
  const isPaid = plan.priceMonthly !== null;
  const isQuiet = !plan.isActive || !plan.isVisible;
  const titleId = `plan-${plan.id}`;
  return (
    <Card
      as="li"
      aria-labelledby={titleId}
      tabIndex={-1}
      className={cx('flex flex-col', isQuiet && 'bg-transparent')}
    >
      <div className="flex flex-1 flex-col px-5 pt-5 pb-4">
        <div className="flex flex-wrap items-center gap-1.5">
          <TierBadge tier={plan.tier} />
          <span className="ms-auto flex flex-wrap gap-1.5">
            <StatusBadge status={plan.isActive ? 'ACTIVE' : 'INACTIVE'} />
            {!plan.isVisible && <StatusBadge status="HIDDEN" />}
          </span>
        </div>
        <h2
          id={titleId}
          title={name}
          className={cx(
            'mt-3 line-clamp-2 text-lg wrap-anywhere',
            isQuiet ? 'text-muted' : 'text-text',
          )}
        >
          <SafeText>{name}</SafeText>
        </h2>
        {/* Grows, so that the prices of a row stand on one line. */}
        <div className="mt-1 min-h-[2lh] flex-1 text-sm text-muted">
          <p className="line-clamp-3 wrap-anywhere">
            <SafeText>{englishOr(plan.description, PLAN_MESSAGES.noDescription)}</SafeText>
          </p>
        </div>
        <p className="mt-3 flex flex-wrap items-baseline gap-x-4 border-b border-border pb-4 text-base text-muted">
          <span>
            <span className={cx('text-[1.375rem] font-semibold', !isQuiet && 'text-text')}>
              {isPaid ? usdPriceText(plan.priceMonthly) : 'Free'}
            </span>
            {isPaid && ' / month'}
          </span>
          {isPaid && <span>{usdPriceText(plan.priceYearly)} / year</span>}
        </p>
        {/* The left column holds the longest pair: 'Pending posts' and 'Unlimited'. */}
        <DescriptionList
          dense
          minColumn="100%"
          className="mt-4 @xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]!"
        >
          {cardLimits(plan.limits).map(({ label, text }) => (
            <DescriptionItem key={label} inline label={label}>
              {text}
            </DescriptionItem>
          ))}
          <DescriptionItem inline label="Order">
            {formatNumber(plan.displayOrder)}
          </DescriptionItem>
        </DescriptionList>
      </div>
      <PlanActions plan={plan} name={name} titleId={titleId} onChanged={onChanged} />
    </Card>
  );
}

const CONTROL = 'var(--control-height)';

/** Line for line the boxes of a PlanCard with a two-line description. */
export function PlanCardSkeleton() {
  return (
    <Card as="li" aria-hidden="true" className="flex flex-col">
      <div className="px-5 pt-5 pb-4">
        <div className="flex justify-between">
          <Skeleton round width="4.5rem" height="1.375rem" />
          <Skeleton round width="4.25rem" height="1.375rem" />
        </div>
        <div className="mt-3 text-lg">
          <Skeleton width="8rem" />
        </div>
        <div className="mt-1 text-sm">
          <Skeleton width="90%" />
          <br />
          <Skeleton width="40%" />
        </div>
        <div className="mt-3 border-b border-border pb-4 text-[1.375rem] leading-[1.5]">
          <Skeleton width="11rem" />
        </div>
        <div className="mt-4 grid gap-x-4 gap-y-1.5 text-sm @xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
          {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
            <div key={key}>
              <Skeleton />
            </div>
          ))}
        </div>
      </div>
      <CardFooter>
        <Skeleton width="3.25rem" height={CONTROL} />
        <Skeleton width="6rem" height={CONTROL} />
        <Skeleton width="3.75rem" height={CONTROL} className="ms-auto" />
      </CardFooter>
    </Card>
  );
}

const TABS = ['all', 'active', 'inactive', 'visible', 'hidden'] as const;
export type PlanTab = (typeof TABS)[number];

/** What the address of the plans list can say. */
export const PLANS_PARAMS = { tab: oneOf(TABS, 'all') };

const LABELS: Record<PlanTab, string> = {
  all: 'All',
  active: 'Active',
  inactive: 'Inactive',
  visible: 'Visible',
  hidden: 'Hidden',
};

const BELONGS: Record<PlanTab, (plan: Plan) => boolean> = {
  all: () => true,
  active: (plan) => plan.isActive,
  inactive: (plan) => !plan.isActive,
  visible: (plan) => plan.isVisible,
  hidden: (plan) => !plan.isVisible,
};

export function plansOf(tab: PlanTab, plans: readonly Plan[]): Plan[] {
  return plansInOrder(plans.filter(BELONGS[tab]));
}

export function planTabs(plans: readonly Plan[]): FilterTab<PlanTab>[] {
  return TABS.map((value) => ({
    value,
    label: LABELS[value],
    count: plansOf(value, plans).length,
  }));
}

/** The limits on a card, in reading order, under words that fit into half of it. */
const SHOWN = [
  ['pending_posts_limit', 'Pending posts'],
  ['schedule_interval_minutes', 'Interval'],
  ['max_post_length', 'Max length'],
  ['thread_posts_limit', 'Thread posts'],
  ['max_images_per_post', 'Images'],
  ['max_image_size_mb', 'Image size'],
  ['storage_mb', 'Storage'],
] as const;

const DEFAULTS: Readonly<Record<string, number>> = PLAN_LIMIT_DISPLAY_DEFAULTS;

/** A limit that is null is not available; one that is not there is not known. */
const textOf = (name: string, value: LimitValue) =>
  value === undefined ? NOTHING : limitText(name, value);

export function cardLimits(limits: PlanLimits): { label: string; text: string }[] {
  return SHOWN.map(([name, label]) => ({
    label,
    text: textOf(name, limits[name] ?? DEFAULTS[name] ?? limits[name]),
  }));
}

const dollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
  // A currency has up to four: rounding would show a wrong price.
  maximumFractionDigits: 4,
});

type Prices = Readonly<Record<string, number>> | null;

/** '$4.90', or '–' for a plan without this price in US dollars. */
export function usdPriceText(prices: Prices): string {
  const amount = prices?.['usd'];
  return amount === undefined ? NOTHING : dollars.format(amount);
}
