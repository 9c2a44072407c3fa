import { useQueryClient } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  AUDIT_ACTIONS,
  AUDIT_ENTITIES,
  AUDIT_MESSAGES,
  type AuditEntity,
  type AuditEntry,
  auditList,
  auditReverse,
} from '@meridian/contract/audit';
import { Badge } from '@meridian/ui/Badge.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { SafeText, truncateGraphemes } from '@meridian/ui/SafeText.tsx';
import { Time, TIME_COLUMN_WIDTH } from '@meridian/ui/Time.tsx';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { confirm, inform } from '@meridian/ui/dialog-host.tsx';
import { changedPaths, valueAt } from '@meridian/ui/form/field-path.ts';
import { NOTHING } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { type Column, DataTable } from '@meridian/ui/list/DataTable.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { paths, withSearch } from '../paths.ts';

const ENTRIES = 10;

export interface HistoryProps {
  entity: AuditEntity;
  entityId: string;
}

export function HistoryEntries({ entity, entityId }: HistoryProps) {
  const query = useEndpointQuery(auditList, { query: { entity, entityId, limit: ENTRIES } });
  const entries = query.data?.entries;
  return (
    <>
      <DataTable
        label="History"
        columns={AUDIT_COLUMNS}
        rows={entries}
        rowKey={({ id }) => id}
        query={query}
        failed={AUDIT_MESSAGES.listFailed}
        emptyText="No administrator has changed anything here"
        emptyIcon={<ScrollText aria-hidden="true" />}
        skeletonRows={3}
        cellsPerLine={2}
      />
      {entries?.length === ENTRIES && (
        <p className="px-5 py-3 text-sm">
          <AppLink
            className="underline underline-offset-2"
            to={withSearch(paths.audit, { entity, entityId })}
          >
            All entries in the audit log
          </AppLink>
        </p>
      )}
    </>
  );
}

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    header: 'Change',
    cell: (entry) => (
      <div className="min-w-0">
        <span className="block font-medium">
          <SafeText>{actionLabel(entry.action)}</SafeText>
        </span>
        <span className="block text-sm text-muted">
          <EntityLink entry={entry} />
        </span>
        {entry.reason !== null && (
          <span className="block text-sm wrap-anywhere">
            Reason: <SafeText>{entry.reason}</SafeText>
          </span>
        )}
      </div>
    ),
    unlabelled: true,
    wide: true,
  },
  {
    header: 'Before and after',
    cell: (entry) => <EntryChanges entry={entry} />,
    wide: true,
  },
  {
    header: 'Administrator',
    cell: ({ actor, network }) => (
      <>
        <SafeText>{actor}</SafeText>
        {network !== null && (
          <span className="block text-sm text-muted">
            <Mono value={network} />
          </span>
        )}
      </>
    ),
    width: '10rem',
  },
  { header: 'Time', cell: ({ at }) => <Time value={at} />, width: TIME_COLUMN_WIDTH },
  {
    header: 'Actions',
    headerHidden: true,
    cell: (entry) => <EntryActions entry={entry} />,
    width: '13rem',
    unlabelled: true,
    wide: true,
  },
];

function EntryActions({ entry }: { entry: AuditEntry }) {
  const client = useQueryClient();
  const reverse = useEndpointMutation(auditReverse);
  const { id, before, after, finalReason, supersededBy } = entry;
  const title = actionLabel(entry.action);
  const about = `${title}, entry ${id}`;

  async function ask() {
    const isDone = await confirm({
      title: 'Reverse Change',
      body: (
        <>
          <p>The fields go back to what they were before entry {id}:</p>
          <div className="mt-2">
            <EntryChanges entry={{ ...entry, before: after, after: before }} />
          </div>
          <p className="mt-2">This is a change of its own, with its own entry.</p>
        </>
      ),
      confirmLabel: 'Reverse',
      busyLabel: 'Reversing...',
      takesReason: true,
      failed: AUDIT_MESSAGES.reverseFailed,
      run: (reason) => reverse.mutateAsync({ params: { id }, reason }),
    });
    void client.invalidateQueries();
    if (isDone) showToast({ message: `Entry ${id} reversed` });
  }

  const showDetails = () => void inform({ title, body: <EntryDetails entry={entry} /> });

  const isEvent = before === null && after === null;
  return (
    <div className="flex flex-col items-start gap-1.5">
      <div className="flex flex-wrap gap-2">
        <Button size="sm" aria-label={`Details, ${about}`} onClick={showDetails}>
          Details
        </Button>
        {finalReason === null && supersededBy === null && (
          <Button size="sm" aria-label={`Reverse, ${about}`} onClick={() => void ask()}>
            Reverse
          </Button>
        )}
      </div>
      {finalReason !== null && !isEvent && (
        <p className="text-sm text-muted">
          <Badge tone="gray">Final</Badge> {finalReason}
        </p>
      )}
      {finalReason === null && supersededBy !== null && (
        <p className="text-sm text-muted">Superseded by entry {supersededBy}</p>
      )}
    </div>
  );
}

const FIELDS = 3;
const VALUE_LENGTH = 60;

function EntryChanges({ entry }: { entry: AuditEntry }) {
  const changes = fieldChanges(entry);
  if (changes.length === 0) return NOTHING;
  const more = changes.length - FIELDS;
  return (
    <div className="min-w-0 wrap-anywhere">
      <dl>
        {changes.slice(0, FIELDS).map(({ field, before, after }) => (
          <div key={field}>
            <dt className="inline text-muted">
              <Mono value={field} />
              {': '}
            </dt>
            <dd className="inline">
              <del className="no-underline">
                <SafeText>{truncateGraphemes(before, VALUE_LENGTH)}</SafeText>
              </del>
              {/* Not hidden: few screen readers tell a deletion from an insertion. */}
              <span className="text-muted">{' → '}</span>
              <ins className="font-medium no-underline">
                <SafeText>{truncateGraphemes(after, VALUE_LENGTH)}</SafeText>
              </ins>
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 && <p className="text-sm text-muted">and {more} more</p>}
    </div>
  );
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const changes = fieldChanges(entry);
  const reversal =
    entry.supersededBy === null ? 'Can be reversed' : `Superseded by entry ${entry.supersededBy}`;
  const facts: Record<string, ReactNode> = {
    Entry: entry.id,
    Time: <Time value={entry.at} />,
    Administrator: <SafeText>{entry.actor}</SafeText>,
    Network: entry.network && <Mono value={entry.network} />,
    Object: (
      <>
        {entityLabel(entry.entity)} {entry.entityId && <Mono value={entry.entityId} />}
      </>
    ),
    Reason: entry.reason && <SafeText>{entry.reason}</SafeText>,
    Request: entry.requestId && <Mono value={entry.requestId} />,
    Batch: entry.batch && <Mono value={entry.batch} />,
    Reversal: entry.finalReason ?? reversal,
  };
  return (
    <div className="flex flex-col gap-4 whitespace-normal">
      <DescriptionList>
        {Object.entries(facts).map(([label, value]) => (
          <DescriptionItem key={label} label={label}>
            {value ?? NOTHING}
          </DescriptionItem>
        ))}
      </DescriptionList>
      {changes.length > 0 && (
        // A dialog is narrow: the columns of a list would be stacked.
        <table aria-label="Before and after" className="w-full table-fixed text-sm">
          <thead>
            <tr className="text-start text-muted">
              {['Field', 'Before', 'After'].map((header) => (
                <th key={header} scope="col" className="pb-1 text-start font-medium">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field} className="border-t border-border align-top">
                <td className="py-1.5 pe-3 wrap-anywhere">
                  <Mono value={field} />
                </td>
                <td className="py-1.5 pe-3 wrap-anywhere whitespace-pre-line">
                  <SafeText>{before}</SafeText>
                </td>
                <td className="py-1.5 wrap-anywhere whitespace-pre-line">
                  <SafeText>{after}</SafeText>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const ADDRESSES: Readonly<Record<string, (id: string) => string>> = {
  user: paths.user,
  post: paths.post,
  ticket: paths.ticket,
  plan: paths.planEdit,
  currency: paths.currencyEdit,
  settings: () => paths.settings,
};

/** An action that this version does not know is shown in the server's word. */
export function actionLabel(action: string): string {
  const known: Readonly<Record<string, { label: string }>> = AUDIT_ACTIONS;
  return Object.hasOwn(known, action) ? (known[action]?.label ?? action) : action;
}

export function entityLabel(entity: string): string {
  const known: Readonly<Record<string, string>> = AUDIT_ENTITIES;
  return Object.hasOwn(known, entity) ? (known[entity] ?? entity) : entity;
}

function EntityLink({ entry: { entity, entityId } }: { entry: AuditEntry }) {
  const label = entityLabel(entity);
  if (entityId === null) return label;
  const name = (
    <>
      {label} {entity !== 'settings' && <Mono value={entityId} short={18} />}
    </>
  );
  const to = ADDRESSES[entity]?.(entityId);
  if (to === undefined) return name;
  return (
    <AppLink to={to} className="underline underline-offset-2" aria-label={`${label} ${entityId}`}>
      {name}
    </AppLink>
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return NOTHING;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Every field in which the two states differ, those of nested values by their path. */
export function fieldChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  return changedPaths(before ?? {}, after ?? {})
    .filter((path) => path !== 'version')
    .map((path) => ({
      field: path,
      before: textOf(valueAt(before, path)),
      after: textOf(valueAt(after, path)),
    }));
}
