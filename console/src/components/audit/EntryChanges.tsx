import type { AuditEntry } from '@meridian/contract/audit';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { truncateGraphemes } from '../../ui/truncate-graphemes.ts';
import { fieldChanges } from './entry-values.ts';

const FIELDS = 3;
const VALUE_LENGTH = 60;

/** The first fields, long values cut; the details have the rest. */
export function EntryChanges({ entry }: { entry: AuditEntry }) {
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
