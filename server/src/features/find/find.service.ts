import { FIND_PART_MIN_LENGTH, FIND_RESULTS_MAX } from '@meridian/contract/find';
import type { FindResult } from '@meridian/contract/find';
import type { Database } from '../../db/database.ts';
import { findTarget } from './find-target.ts';
import * as store from './find.store.ts';

export function createFindService(db: Database) {
  async function findExact(text: string): Promise<FindResult[]> {
    const target = findTarget(text);
    if (target.kind === 'id') return store.findById(db, target.id);
    if (target.kind === 'code') return store.findTicket(db, target.code);
    if (target.kind === 'text') return [];
    const { name } = target;
    const posts = target.kind === 'post' ? await store.findPosts(db, name, target.rkey) : [];
    // The author may be known when the post is not: it was written elsewhere, or deleted here.
    return posts.length > 0 ? posts : store.findUsers(db, name);
  }

  return {
    /** What the text names exactly, then users by a part of their names. */
    async find(text: string): Promise<FindResult[]> {
      const exact = await findExact(text);
      const part = text.replace(/^@/u, '');
      if (part.length < FIND_PART_MIN_LENGTH) return exact;
      const known = new Set(exact.map(({ id }) => id));
      const others = (await store.findPeople(db, part)).filter(({ id }) => !known.has(id));
      return [...exact, ...others].slice(0, FIND_RESULTS_MAX);
    },
  };
}
