import { ScrollText } from 'lucide-react';
import {
  AUDIT_ACTION_NAMES,
  AUDIT_ENTITY_NAMES,
  AUDIT_MESSAGES,
  AUDIT_PAGE_SIZE,
  AUDIT_WORD_MAX_LENGTH,
  auditList,
} from '@meridian/contract/audit';
import { Button } from '@meridian/ui/Button.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { PagedList } from '@meridian/ui/list/PagedList.tsx';
import { DayField, FilterSelect, FilterText } from '@meridian/ui/list/filters.tsx';
import { listQuery, oneOf, text, useListParams } from '@meridian/ui/list/params.ts';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { actionLabel, AUDIT_COLUMNS, entityLabel } from '../../components/audit-entries.tsx';

export function Component() {
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
            {PERIOD.map(([name, label, side]) => (
              <DayField
                key={name}
                label={label}
                className="w-40 @max-xl:w-full"
                side={side}
                value={values[name]}
                onChange={(instant) => set({ [name]: instant })}
              />
            ))}
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

const WORD = text(AUDIT_WORD_MAX_LENGTH);
const INSTANT = text(30);

/** The parameters in the address of the audit log; the names are those of the call. */
const AUDIT_PARAMS = {
  actor: WORD,
  action: oneOf(AUDIT_ACTION_NAMES),
  entity: oneOf(AUDIT_ENTITY_NAMES),
  entityId: WORD,
  batch: WORD,
  from: INSTANT,
  to: INSTANT,
};

const ENTITY_OPTIONS = AUDIT_ENTITY_NAMES.map((value) => ({ value, label: entityLabel(value) }));
const ACTION_OPTIONS = AUDIT_ACTION_NAMES.map((value) => ({ value, label: actionLabel(value) }));
const PERIOD = [
  ['from', 'From', 'start'],
  ['to', 'Through', 'end'],
] as const;
