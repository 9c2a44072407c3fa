import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { count } from './fields.ts';

const byStatus = z.array(z.object({ status: z.string(), count }));

export const stats = z.object({
  users: z.object({ total: count, activeUsers: count, byStatus }),
  posts: z.object({ total: count, byStatus }),
});
export type Stats = z.output<typeof stats>;

export const statsGet = endpoint({
  name: 'statsGet',
  method: 'GET',
  path: '/api/admin/stats',
  right: 'engine:read',
  summary: 'How many users and posts, by status',
  answer: stats,
});
