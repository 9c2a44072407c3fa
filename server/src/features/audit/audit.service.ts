import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry, auditList } from '@meridian/contract/audit';
import { finalReason } from '@meridian/contract/audit-actions';
import type { AnswerOf, QueryOf } from '@meridian/contract/endpoint';
import { REASON_MAX_LENGTH } from '@meridian/contract/requests';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { Fields } from '../noun.ts';
import { nounOfEntry } from '../nouns.ts';
import * as store from './audit.store.ts';

export function createAuditService(db: Database) {
  return {
    async list(query: QueryOf<typeof auditList>): Promise<AnswerOf<typeof auditList>> {
      const { rows, cursors } = await store.listEntries(db, query);
      return { entries: rows.map(entryOf), cursors };
    },

    /**
     * Sets the fields of an entry back, as a change of its own. Refused when any of them has changed
     * since: by an administrator, which a newer entry shows, or by the service, which the state shows.
     * The version that was compared is the one that is changed, so nothing can come in between.
     */
    async reverse(by: Author, id: string): Promise<void> {
      const row = /^\d{1,18}$/.test(id) ? await store.findEntry(db, id) : null;
      if (row === null) throw new AppError('audit_entry_not_found');
      const { finalReason: final, supersededBy, before, after, entityId } = entryOf(row);
      const reversal = nounOfEntry(row.entity)?.reversal;
      if (final !== null || reversal === undefined || entityId === null || before === null) {
        throw new AppError('entry_final', final === null ? {} : { message: final });
      }
      if (supersededBy !== null) {
        throw new AppError('entry_superseded', {
          message: `Entry ${supersededBy} has changed the same fields since. Reverse that one first`,
        });
      }
      const stored = await reversal.read(db, entityId);
      const state: Fields = { ...stored };
      const isAsLeft = Object.entries(withoutVersion(after)).every(([field, value]) =>
        isDeepStrictEqual(state[field], value),
      );
      if (!isAsLeft) {
        throw new AppError('entry_superseded', {
          message:
            'A change of many rows or the service itself has changed this since, so it was not reversed',
        });
      }
      try {
        const current = { id: entityId, version: stored.version, state };
        await reversal.write(
          db,
          { ...by, reason: reasonOf(by, id) },
          current,
          withoutVersion(before),
        );
      } catch (error) {
        const isOvertaken = error instanceof AppError && error.status === 412;
        throw isOvertaken ? new AppError('entry_superseded', { cause: error }) : error;
      }
    },
  };
}

function entryOf(row: store.EntryRow): AuditEntry {
  return { ...row, finalReason: finalReason(row.action, row.after) };
}

/** Changes with every change, and is not set back. */
function withoutVersion(fields: Fields | null): Fields {
  const { version: _, ...rest } = fields ?? {};
  return rest;
}

function reasonOf({ reason }: Author, id: string): string {
  const text = `Reverses entry ${id}`;
  if (reason === undefined || reason === null) return text;
  return Array.from(`${text}: ${reason}`).slice(0, REASON_MAX_LENGTH).join('');
}
