import { planExport } from '@meridian/contract/exports';
import { PLAN_MESSAGES, planList, planPublish } from '@meridian/contract/plans';
import { Layers } from 'lucide-react';
import { useRef } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { ChangeError } from '../../components/ChangeError.tsx';
import { ExportMenu } from '../../components/export/ExportMenu.tsx';
import { ListCount } from '../../components/list/ListCount.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { useChange } from '../../components/use-change.ts';
import { ALL_PLANS } from '../../components/plan-query.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FilterTabs } from '../../ui/FilterTabs.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { PlanGrid } from './PlanGrid.tsx';
import { PLANS_PARAMS, plansOf, planTabs } from './plans-query.ts';

export function PlansPage() {
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
