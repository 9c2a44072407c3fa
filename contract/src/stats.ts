import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { shownCount } from './fields.ts';

const byStatus = z.array(z.object({ status: z.string(), count: shownCount }));

export const stats = z.object({
  users: z.object({ total: shownCount, activeUsers: shownCount, byStatus }),
  posts: z.object({ total: shownCount, byStatus }),
});
export type Stats = z.output<typeof stats>;

export const statsGet = endpoint({
  name: 'statsGet',
  method: 'GET',
  path: '/api/admin/stats',
  summary: 'How many users and posts, by status',
  answer: stats,
});
