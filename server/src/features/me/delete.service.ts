import type { meDelete } from '@meridian/contract/me/account';
import type { BodyOf } from '@meridian/contract/endpoint';
import { recordEvent } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import { AppError, invalidField } from '../../http/app-error.ts';
import type { Member } from '../../http/register.ts';
import type { Connector } from '../../network/connector.ts';
import * as store from './delete.store.ts';

export function createMemberDeletion(db: Database, connector: Connector | null) {
  return {
    /** All or nothing. What was published stays on the network. */
    async delete(
      { userId, did }: Member,
      { handle, isSure }: BodyOf<typeof meDelete>,
      requestId: string,
    ): Promise<void> {
      if (!isSure) throw invalidField('isSure', 'Confirm that all your data shall be deleted');
      await db.transaction(async (tx) => {
        const own = await store.lockHandle(tx, userId);
        if (own === null) throw new AppError('session_ended');
        if (!isSame(own, handle)) throw invalidField('handle', 'This is not your handle');
        if (await store.deletePosts(tx, userId)) throw new AppError('still_publishing');
        await store.deletePerson(tx, userId);
        // The audit log is never deleted, so it names neither the person nor the network.
        const by = { adminId: null, username: 'person', requestId, network: null };
        await recordEvent(tx, { by, action: 'meDelete' }, userId);
      });
      await connector?.disconnect(did);
    },
  };
}

function isSame(own: string, typed: string): boolean {
  return own.toLowerCase() === typed.replace(/^@/, '').toLowerCase();
}
