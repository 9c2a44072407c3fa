import { bulkGet, bulkPreview, bulkResult, bulkStart } from '@meridian/contract/bulk';
import type { BulkAction, BulkSelection } from '@meridian/contract/bulk';
import type { PostStatus } from '@meridian/contract/posts';
import { sql } from '../src/db/sql.ts';
import { runBulkChange } from '../src/features/bulk/bulk-job.ts';
import type { SignedIn, TestApp } from './app.ts';
import { insertPost } from './fixtures.ts';

export type Wanted = { action: BulkAction; value?: string; selection: BulkSelection };

/** The calls of a bulk change, and what they left. */
export function bulkCalls(api: TestApp, admin: SignedIn) {
  const preview = (wanted: Wanted, by = admin) =>
    api.call(bulkPreview, { token: by.token, body: wanted });
  const start = (body: Record<string, unknown>, by = admin, headers = {}) =>
    api.call(bulkStart, { token: by.token, body, headers });
  const get = (id: string) => api.call(bulkGet, { token: admin.token, params: { id } });

  async function resultsOf(id: string): Promise<Map<string, string>> {
    const { body } = await api.app.inject({
      url: bulkResult.path.replace('{id}', id),
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const lines = body.replace('\uFEFF', '').trim().split('\r\n').slice(1);
    return new Map(
      lines.map((line) => {
        const [row = '', result = '', message = ''] = line.replaceAll('"', '').split(',');
        return [row, message === '' ? result : `${result}: ${message}`];
      }),
    );
  }

  return {
    preview,
    start,
    get,
    resultsOf,

    /** Previews, starts and runs it to its end; the results by row. */
    async change(wanted: Wanted): Promise<Map<string, string>> {
      const { answer: bound } = await preview(wanted);
      const { answer } = await start({ token: bound.token, typedCount: bound.count });
      await runBulkChange(api.db, api.context, answer.change);
      return resultsOf(answer.change.id);
    },

    posts: (author: string, count: number, status: PostStatus = 'PENDING') =>
      Promise.all(Array.from({ length: count }, () => insertPost(api.db, author, { status }))),

    /** How many posts have which status. */
    async states(): Promise<Record<string, number>> {
      const rows = await api.db.many<{ status: string; n: number }>(
        sql`select status, count(*) as n from posts group by status`,
      );
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },
  };
}
