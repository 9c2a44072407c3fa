import { ASSIGNMENT_STATUSES } from '@meridian/contract/assignments';
import { POST_STATUSES } from '@meridian/contract/posts';
import { TICKET_STATUSES } from '@meridian/contract/tickets';
import { USER_STATUSES } from '@meridian/contract/users';
import { describe, expect, test } from 'vitest';
import { createDemoWriter, makeDemoRows } from './index.ts';
import { lengthOf, NETWORK_MAX_LENGTH } from './rich-text.ts';
import type { Facet } from './rich-text.ts';
import type { Json, PostRow } from './rows.ts';
import { DAY } from './times.ts';

const NOW = Date.parse('2026-11-15T09:41:07.000Z');
const at = (now: number) =>
  makeDemoRows({
    now,
    issuerId: '01890000-0000-7000-8000-000000000001',
    urlOf: (key) => `/cdn/${key}`,
  });
const demo = at(NOW);
// The awkward posts have fixed ids and dates.
const posts = demo.posts.filter(({ id }) => !id.startsWith('5c4ed000'));

test('the same moment gives the same rows, another day moves them along', () => {
  expect(JSON.stringify(at(NOW)) === JSON.stringify(demo)).toBe(true);
  const later = at(NOW + 3 * DAY);
  expect(JSON.stringify(later) === JSON.stringify(demo)).toBe(false);
  expect(later.users.map(({ handle }) => handle)).toEqual(demo.users.map(({ handle }) => handle));
});

test('there is as much of everything as promised', () => {
  expect(demo.users).toHaveLength(480);
  expect(demo.posts).toHaveLength(6000);
  expect(demo.currencies).toHaveLength(4);
  expect(demo.tickets).toHaveLength(40);
  expect(demo.plans.map(({ tier }) => tier).join()).toBe(
    'FREE,BASIC,PREMIUM,ENTERPRISE,PREMIUM,BASIC',
  );
  const languages = new Set(posts.flatMap((post) => post.languages));
  expect(languages.size).toBeGreaterThanOrEqual(8);
  const distinct = new Set(posts.map(({ content }) => content));
  expect(distinct.size).toBeGreaterThan(4000);
});

test('no plan lets the retention delete a post of the demonstration', () => {
  const oldest = Math.min(...posts.map((post) => Date.parse(post.scheduled_at)));
  for (const { name, limits } of demo.plans) {
    const days = Number(JSON.parse(limits.text).data_retention_days);
    expect({ name, isKept: days === -1 || oldest > NOW - (days - 7) * DAY }).toEqual({
      name,
      isKept: true,
    });
  }
});

describe('every state is there', () => {
  test.each([
    ['users', demo.users, USER_STATUSES],
    ['posts', demo.posts, POST_STATUSES.filter((status) => status !== 'PROCESSING')],
    ['tickets', demo.tickets, TICKET_STATUSES],
    ['assignments', demo.assignments, ASSIGNMENT_STATUSES],
  ])('of %s', (_, rows, statuses) => {
    expect(new Set(rows.map(({ status }: { status: string }) => status))).toEqual(
      new Set(statuses),
    );
  });

  test('of users: inactive, prohibited, with keyword, nameless, long-named, without avatar', () => {
    for (const column of [
      'is_active',
      'upgrade_prohibited',
      'has_access_keyword_access',
    ] as const) {
      expect(new Set(demo.users.map((user) => user[column]))).toEqual(new Set([true, false]));
    }
    const names = demo.users.map((user) => user.display_name);
    expect(names).toContain(null);
    expect(names.some((name) => Array.from(name ?? '').length === 60)).toBe(true);
    expect(names.join('')).toMatch(/\p{Script=Arabic}/u);
    expect(names.join('')).toMatch(/\p{Script=Hebrew}/u);
    expect(demo.users.map((user) => user.avatar)).toContain(null);
  });

  test('of tickets and assignments: with and without each optional value', () => {
    const { tickets, assignments } = demo;
    expect(tickets.some((ticket) => ticket.redemption_count === ticket.max_redemptions)).toBe(true);
    const optional = [
      ...(['max_redemptions', 'limits_override', 'redemption_deadline', 'memo'] as const).map(
        (column) => tickets.map((ticket) => ticket[column] === null),
      ),
      ...(['ticket_id', 'expires_at'] as const).map((column) =>
        assignments.map((assignment) => assignment[column] === null),
      ),
    ];
    for (const values of optional) expect(new Set(values)).toEqual(new Set([true, false]));
  });
});

describe('posts', () => {
  const now = new Date(NOW).toISOString();

  test('have facets that cut exactly what they mark, and mention real users', () => {
    const handleOf = new Map(demo.users.map(({ did, handle }) => [did, handle]));
    const marked = ({ tag, uri, did }: Facet['features'][number]) => {
      if (tag !== undefined) return [`#${tag}`];
      if (uri !== undefined) return [uri, uri.replace('https://', '')];
      return [`@${handleOf.get(did ?? '')}`];
    };
    const wrong = posts.flatMap(({ content, facets }) => {
      const bytes = Buffer.from(content);
      return facetsOf(facets).filter(({ index: { byteStart, byteEnd }, features }) => {
        const cut = bytes.subarray(byteStart, byteEnd).toString();
        return !features.every((feature) => marked(feature).includes(cut));
      });
    });
    expect(wrong).toEqual([]);
    const kinds = posts
      .flatMap(({ facets }) => facetsOf(facets))
      .map(({ features }) => features[0]?.$type);
    expect(new Set(kinds)).toEqual(
      new Set(['link', 'mention', 'tag'].map((name) => `app.bsky.richtext.facet#${name}`)),
    );
  });

  test('were written after their author joined and before they were due', () => {
    const joinedAt = new Map(demo.users.map(({ id, created_at }) => [id, created_at]));
    const wrong = posts.filter(
      (post) =>
        post.created_at <= (joinedAt.get(post.user_id) ?? '9') ||
        post.created_at >= post.scheduled_at ||
        post.created_at >= now ||
        post.updated_at < post.created_at,
    );
    expect(wrong).toEqual([]);
  });

  test('are done, open or under way as the clock says', () => {
    const isRight: Record<PostRow['status'], (post: PostRow) => boolean> = {
      PENDING: (post) => post.scheduled_at >= now,
      PROCESSING: () => false,
      COMPLETED: (post) => (post.executed_at ?? '') > post.scheduled_at && post.at_uri !== null,
      FAILED: (post) => post.scheduled_at <= now && post.error_msg !== null,
      CANCELLED: (post) => post.at_rkey === null,
    };
    expect(posts.filter((post) => !isRight[post.status](post))).toEqual([]);
    const executed = posts.filter((post) => post.executed_at !== null);
    expect(new Set(executed.map(({ status }) => status))).toEqual(new Set(['COMPLETED']));
  });

  test('are never overdue, on whatever day the service is first started', () => {
    const later = NOW + 1000 * DAY;
    const open = at(later).posts.filter(({ status }) => ['PENDING', 'PROCESSING'].includes(status));
    expect(open.filter((post) => Date.parse(post.scheduled_at) < later)).toEqual([]);
  });

  test('of all kinds and of different users go out in the first ten minutes', () => {
    const first = posts
      .filter((post) => post.status === 'PENDING' && Date.parse(post.scheduled_at) < NOW + 600_000)
      // The others are due on the quarter of an hour.
      .filter(({ scheduled_at }) => Date.parse(scheduled_at) % 900_000 !== 0);
    const offsets = first.map(({ scheduled_at }) => Date.parse(scheduled_at) - NOW);
    expect(offsets).toEqual(Array.from({ length: 90 }, (_, index) => 8000 + index * 6600));
    expect(new Set(first.map(({ user_id }) => user_id)).size).toBe(90);
    const soon = first.slice(0, 8);
    expect(soon.filter(({ reply_to }) => reply_to?.startsWith('at://'))).toHaveLength(1);
    expect(soon.map(({ thread }) => thread?.toJSON()).filter(Boolean)).toMatchObject([
      [{ content: expect.any(String) }, { content: expect.any(String) }],
    ]);
    const kinds = new Set(first.map(({ embed }) => /embed\.(\w+)/u.exec(embed?.text ?? '')?.[1]));
    expect(kinds).toEqual(new Set([undefined, 'images', 'external', 'record']));
    expect(first.flatMap(({ languages }) => languages)).toContain('ja');
  });

  test('are mostly completed, and fill sixty days back and fourteen ahead', () => {
    const past = posts.filter(({ scheduled_at }) => Date.parse(scheduled_at) <= NOW);
    const completed = past.filter(({ status }) => status === 'COMPLETED');
    expect(completed.length / past.length).toBeCloseTo(0.9, 1);
    const days = posts
      .map(({ scheduled_at }) => Date.parse(scheduled_at))
      .toSorted((a, b) => a - b);
    expect(days[0]).toBeGreaterThan(NOW - 62 * DAY);
    expect(days.at(-1)).toBeLessThan(NOW + 15 * DAY);
  });

  test('name the record that was published', () => {
    const didOf = new Map(demo.users.map(({ id, did }) => [id, did]));
    const TID = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/u;
    const wrong = posts.filter(({ status, user_id, at_uri, at_rkey }) => {
      const uri = `at://${didOf.get(user_id)}/app.bsky.feed.post/${at_rkey}`;
      return status === 'COMPLETED' && !(TID.test(at_rkey ?? '') && at_uri === uri);
    });
    expect(wrong).toEqual([]);
  });

  test('fit the network, but for those that failed because they do not', () => {
    const long = posts.filter(({ content }) => lengthOf(content) > 300);
    expect(long.filter(({ status }) => status === 'COMPLETED')).toEqual([]);
    const failed = long.filter(({ status }) => status === 'FAILED');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.map(({ error_msg }) => /got (\d+)/u.exec(error_msg ?? '')?.[1])).toEqual(
      failed.map(({ content }) => String(lengthOf(content))),
    );
  });
});

describe('no outside host is named', () => {
  /** Names reserved for examples and tests. */
  const RESERVED = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/u;
  const pictures = demo.posts.flatMap(({ embed }) => picturesOf(embed));

  test('in any row', () => {
    const addresses = JSON.stringify(demo).matchAll(/https?:\/{2}([^\s/"'\\?#:)]+)/gu);
    const named = Array.from(addresses, ([, host = '']) => host);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((host) => !RESERVED.test(host))).toEqual([]);
  });

  test('by a picture: it is a key of this service', () => {
    expect(pictures.length).toBeGreaterThan(1000);
    const FIELDS = new Set(['key', 'alt', 'aspectRatio']);
    const isOwn = (picture: DemoPicture) =>
      typeof picture === 'string'
        ? picture.startsWith('ogp-cache/')
        : 'key' in picture && Object.keys(picture).every((field) => FIELDS.has(field));
    expect(pictures.filter((picture) => !isOwn(picture))).toEqual([]);
  });

  test('by an avatar: it is served from here, but for one that is no address', () => {
    const avatars = demo.users.flatMap(({ avatar }) => avatar ?? []);
    expect(avatars.filter((avatar) => !avatar.startsWith('/cdn/avatars/demo/'))).toEqual([
      'javascript:alert(1)',
    ]);
  });
});

test('a ticket counts exactly its redemptions, all in time', () => {
  for (const ticket of demo.tickets) {
    const granted = demo.assignments.filter(({ ticket_id }) => ticket_id === ticket.id);
    expect(granted).toHaveLength(ticket.redemption_count);
    expect(new Set(granted.map(({ user_id }) => user_id)).size).toBe(granted.length);
    for (const { activated_at } of granted) {
      expect(activated_at >= ticket.issued_at).toBe(true);
      expect(activated_at <= (ticket.redemption_deadline ?? '9')).toBe(true);
    }
  }
});

test('ids are UUIDs of version 7 that carry the time of creation', () => {
  const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;
  const wrong = posts.filter(({ id, created_at }) => {
    const milliseconds = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    return !UUID_V7.test(id) || milliseconds !== Date.parse(created_at);
  });
  expect(wrong).toEqual([]);
});

function facetsOf(cell: Json | null): Facet[] {
  return cell === null ? [] : (JSON.parse(cell.text) as Facet[]); // The generator put them there.
}

type DemoPicture = string | { key?: string };

function picturesOf(embed: Json | null): DemoPicture[] {
  // The generator's too, in one of two forms.
  const { images = [], external } = JSON.parse(embed?.text ?? '{}') as {
    images?: DemoPicture[];
    external?: { thumb?: DemoPicture };
  };
  return [...images, ...(external?.thumb === undefined ? [] : [external.thumb])];
}

test('further posts are by active users of the first day, and without pictures', () => {
  const write = createDemoWriter(NOW + 40 * DAY);
  const written = Array.from({ length: 500 }, () => write());
  const statusOf = new Map(demo.users.map(({ did, status }) => [did, status]));
  expect(new Set(written.map(({ did }) => statusOf.get(did)))).toEqual(new Set(['ACTIVE']));
  expect(new Set(written.map(({ did }) => did)).size).toBeGreaterThan(200);
  expect(written.filter(({ length }) => length > NETWORK_MAX_LENGTH)).toEqual([]);
  expect(written.filter(({ embed }) => embed?.text.includes('"key"'))).toEqual([]);
});
