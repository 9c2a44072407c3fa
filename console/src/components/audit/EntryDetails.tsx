import type { AuditEntry } from '@meridian/contract/audit';
import type { ReactNode } from 'react';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { entityLabel } from './entity-links.tsx';
import { fieldChanges } from './entry-values.ts';

/** Everything an entry says, values in full. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
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
