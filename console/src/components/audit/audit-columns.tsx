import type { AuditEntry } from '@meridian/contract/audit';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import type { Column } from '../list/column.ts';
import { actionLabel, EntityLink } from './entity-links.tsx';
import { EntryActions } from './EntryActions.tsx';
import { EntryChanges } from './EntryChanges.tsx';
import { TIME_COLUMN_WIDTH } from '../../ui/time-width.ts';

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
