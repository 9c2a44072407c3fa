import type { ListedPost, Post, User } from '@meridian/contract';

/** What a server written by somebody else might answer. Each test says only what matters to it. */

export const ME = { username: 'ana', displayName: 'Ana Okafor' } as const;

let serial = 0;
/** Ids of that other server: text, but no UUID. */
const nextId = (noun: string) => {
  serial += 1;
  return `${noun}-${serial}`;
};

export function sampleUser(fields: Partial<User> = {}): User {
  const id = fields.id ?? nextId('user');
  return {
    id,
    did: `did:plc:${id.replaceAll(/[^a-z2-7]/g, '').padEnd(24, 'abcdefghijklmnopqrstuvwx')}`,
    handle: `${id}.example`,
    display_name: 'Harbour Lights',
    avatar: null,
    status: 'ACTIVE',
    is_active: true,
    has_access_keyword_access: true,
    upgrade_prohibited: false,
    created_at: '2026-03-02T08:14:00.000Z',
    updated_at: '2026-11-14T09:30:00.000Z',
    ...fields,
  };
}

export function samplePost(fields: Partial<Post> = {}): Post {
  const { id: userId, did, handle, display_name, avatar } = sampleUser();
  return {
    id: nextId('post'),
    user_id: userId,
    content: 'Doors open at 7 tonight',
    facets: null,
    embed: null,
    languages: ['en'],
    status: 'PENDING',
    scheduled_at: '2026-11-20T17:00:00.000Z',
    created_at: '2026-11-01T08:00:00.000Z',
    updated_at: '2026-11-01T08:00:00.000Z',
    executed_at: null,
    at_uri: null,
    at_rkey: null,
    error_msg: null,
    user: { id: userId, did, handle, display_name, avatar },
    ...fields,
  };
}

export function samplePosts(count: number, fields: Partial<Post> = {}): ListedPost[] {
  return Array.from({ length: count }, (_, index) =>
    samplePost({ content: `Post number ${index + 1}`, ...fields }),
  );
}
