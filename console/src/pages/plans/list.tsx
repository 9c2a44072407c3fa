import { Layers } from 'lucide-react';
import { useRef } from 'react';
import { planExport } from '@meridian/contract/exports';
import { keysOf } from '@meridian/contract/fields';
import { type Plan, PLAN_MESSAGES, planList, planPublish } from '@meridian/contract/plans';
import { Button } from '@meridian/ui/Button.tsx';
import { Card } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { useChange } from '@meridian/ui/api/mutation.ts';
import { prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { ChangeError, LoadError } from '@meridian/ui/failures.tsx';
import { keepPlace } from '@meridian/ui/hooks.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import { ListCount } from '@meridian/ui/list/Pager.tsx';
import { oneOf, useListParams } from '@meridian/ui/list/params.ts';
import { EmptyState, LoadingNote } from '@meridian/ui/placeholders.tsx';
import { FilterTabs } from '@meridian/ui/tabs.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { ALL_PLANS, plansInOrder } from '../../components/catalogue.ts';
import { paths } from '../../paths.ts';
import { PlanCard } from './card.tsx';

export function loader(): void {
  prefetch(planList, ALL_PLANS);
}

export function Component() {
  const list = useListParams(PLANS_PARAMS);
  const { tab } = list.values;
  const query = useEndpointQuery(planList, ALL_PLANS);
  const { data, error } = query;
  const isShown = data !== undefined || error === null;
  const publish = useChange(planPublish, { of: {}, failed: PLAN_MESSAGES.publishFailed });
  const filters = useRef<HTMLDivElement>(null);
  const shown = data && plansInOrder(data.plans.filter(TABS[tab].shows));

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
      {isShown && (
        <div ref={filters} className="mb-4 flex flex-wrap items-center justify-between gap-2.5">
          <FilterTabs
            label="Plans shown"
            tabs={TAB_NAMES.map((value) => ({
              value,
              label: TABS[value].label,
              count: data?.plans.filter(TABS[value].shows).length ?? 0,
            }))}
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
      {shown?.length === 0 && (
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
      )}
      {isShown && shown?.length !== 0 && (
        <PlanGrid plans={shown} tab={() => filters.current?.querySelector('[aria-pressed=true]')} />
      )}
    </>
  );
}

const TABS = {
  all: { label: 'All', shows: () => true },
  active: { label: 'Active', shows: ({ isActive }: Plan) => isActive },
  inactive: { label: 'Inactive', shows: ({ isActive }: Plan) => !isActive },
  visible: { label: 'Visible', shows: ({ isVisible }: Plan) => isVisible },
  hidden: { label: 'Hidden', shows: ({ isVisible }: Plan) => !isVisible },
};
const TAB_NAMES = keysOf(TABS);
const PLANS_PARAMS = { tab: oneOf(TAB_NAMES, 'all') };

interface PlanGridProps {
  plans: readonly Plan[] | undefined;
  /** Takes the focus when the last card has left the list. */
  tab: () => HTMLElement | null | undefined;
}

function PlanGrid({ plans, tab }: PlanGridProps) {
  const list = useRef<HTMLUListElement>(null);

  /** The card that takes the place of one that left the list gets its focus. */
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
          {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
            <PlanCard key={key} />
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

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4';
