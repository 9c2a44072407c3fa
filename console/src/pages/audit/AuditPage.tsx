import {
  AUDIT_ACTION_NAMES,
  AUDIT_ENTITY_NAMES,
  AUDIT_MESSAGES,
  AUDIT_PAGE_SIZE,
  auditList,
} from '@meridian/contract/audit';
import { ScrollText } from 'lucide-react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { AUDIT_COLUMNS } from '../../components/audit/audit-columns.tsx';
import { actionLabel, entityLabel } from '../../components/audit/entity-links.tsx';
import { DayField } from '../../components/list/DayField.tsx';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { FilterText } from '../../components/list/FilterText.tsx';
import { listQuery } from '../../components/list/list-params.ts';
import { PagedList } from '../../components/list/PagedList.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { Button } from '../../ui/Button.tsx';
import { AUDIT_PARAMS } from './audit-params.ts';

const ENTITY_OPTIONS = AUDIT_ENTITY_NAMES.map((value) => ({ value, label: entityLabel(value) }));
const ACTION_OPTIONS = AUDIT_ACTION_NAMES.map((value) => ({ value, label: actionLabel(value) }));

export function AuditPage() {
  const isOffered = useIsMeridian();
  const list = useListParams(AUDIT_PARAMS);
  const { values, set } = list;
  const asked = listQuery(AUDIT_PAGE_SIZE, values, list.position);
  const query = useEndpointQuery(auditList, { query: asked }, { enabled: isOffered });
  if (!isOffered) return <NotFoundPage />;
  return (
    <>
      <PageTitle title="Audit Log" context="Who changed what, when, from where and why" />
      <PagedList
        list={list}
        query={query}
        rowsOf={({ entries }) => entries}
        pageSize={AUDIT_PAGE_SIZE}
        noun="entries"
        filters={
          <>
            <FilterText label="Administrator" labelShown {...list.typed('actor')} />
            <FilterSelect
              label="Action"
              labelShown
              allLabel="All Actions"
              options={ACTION_OPTIONS}
              {...list.choice('action')}
            />
            <FilterSelect
              label="Object"
              labelShown
              allLabel="All Objects"
              options={ENTITY_OPTIONS}
              {...list.choice('entity')}
            />
            <FilterText label="Object ID" labelShown {...list.typed('entityId')} />
            <DayField
              label="From"
              className="w-40 @max-xl:w-full"
              side="start"
              value={values.from}
              onChange={(from) => set({ from })}
            />
            <DayField
              label="Through"
              className="w-40 @max-xl:w-full"
              side="end"
              value={values.to}
              onChange={(to) => set({ to })}
            />
            {values.batch !== '' && (
              <Button onClick={() => set({ batch: '' })}>Show more than this batch</Button>
            )}
          </>
        }
        label="Audit log"
        columns={AUDIT_COLUMNS}
        rowKey={({ id }) => id}
        failed={AUDIT_MESSAGES.listFailed}
        emptyText="No entries found"
        emptyIcon={<ScrollText aria-hidden="true" />}
        onClearFilters={list.isFiltered ? list.clear : undefined}
      />
    </>
  );
}
