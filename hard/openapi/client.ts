import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

// The generated types are all that this program has, so it declares what it uses of Node itself.
declare const process: { argv: string[]; stdout: { write(text: string): void } };

/** A program of somebody else, whose types are the generated ones alone. */
const [baseUrl = '', token = ''] = process.argv.slice(2);
const handleOf = (user: components['schemas']['User']) => user.handle;
const statusOf = (post: components['schemas']['MemberPost']) => post.status;

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

const { data } = await client.GET('/api/admin/posts', {
  params: { query: { status: 'COMPLETED', limit: 3 } },
});
const posts: components['schemas']['PostRow'][] = data?.posts ?? [];
const [first] = posts;
if (posts.length !== 3 || first === undefined) throw new Error('There are no posts');

const { data: found } = await client.GET('/api/admin/users/{id}', {
  params: { path: { id: first.user_id } },
});
const user = found?.user;
if (user === undefined) throw new Error('The post has no user');

const { data: scheduled } = await client.POST('/api/me/posts', {
  params: { header: { 'Meridian-Member': user.did, 'Idempotency-Key': 'once' } },
  body: {
    content: 'Made by a generated client',
    scheduledAt: new Date(Date.now() + 7_200_000).toISOString(),
  },
});
if (scheduled === undefined) throw new Error('The post was refused');

const { error } = await client.DELETE('/api/admin/posts/{id}', {
  params: { path: { id: first.id } },
});
if (error?.code !== 'right_missing') throw new Error('A token did more than it may');
process.stdout.write(
  `${posts.length} posts, one by ${handleOf(user)}; one is ${statusOf(scheduled.post)}\n`,
);
