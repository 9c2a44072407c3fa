import { AUDIT_MESSAGES, auditList } from '@meridian/contract/audit';
import type { AuditEntity } from '@meridian/contract/audit';
import { ScrollText } from 'lucide-react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { paths, withSearch } from '../../paths.ts';
import { DataTable } from '../list/DataTable.tsx';
import { AppLink } from '../navigation/AppLink.tsx';
import { AUDIT_COLUMNS } from './audit-columns.tsx';

const ENTRIES = 10;

export interface HistoryProps {
  entity: AuditEntity;
  entityId: string;
}

/** The latest entries about one thing. */
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
