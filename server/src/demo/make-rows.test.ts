import { createHash } from 'node:crypto';
import { ASSIGNMENT_STATUSES } from '@meridian/contract/assignments';
import { POST_STATUSES } from '@meridian/contract/posts';
import { TICKET_STATUSES } from '@meridian/contract/tickets';
import { USER_STATUSES } from '@meridian/contract/users';
import { describe, expect, test } from 'vitest';
import { makeDemoRows } from './make-rows.ts';
import { lengthOf } from './rich-text.ts';
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
// The awkward posts keep their ids and dates, which are no business of the generator.
const posts = demo.posts.filter(({ id }) => !id.startsWith('5c4ed000'));
const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

test('the same moment gives the same rows, another day moves them along', () => {
  expect(hashOf(at(NOW))).toBe(hashOf(demo));
  const later = at(NOW + 3 * DAY);
  expect(hashOf(later)).not.toBe(hashOf(demo));
  expect(later.users.map(({ handle }) => handle).toSorted()).toEqual(
    demo.users.map(({ handle }) => handle).toSorted(),
  );
});

test('there is as much of everything as promised', () => {
  expect(demo.users).toHaveLength(480);
  expect(demo.posts).toHaveLength(6000);
  expect(demo.currencies).toHaveLength(4);
  expect(demo.tickets).toHaveLength(40);
  expect(demo.plans.map(({ tier }) => tier).toSorted()).toEqual([
    'BASIC',
    'BASIC',
    'ENTERPRISE',
    'FREE',
    'PREMIUM',
    'PREMIUM',
  ]);
  const languages = new Set(posts.flatMap((post) => post.languages));
  expect(languages.size).toBeGreaterThanOrEqual(8);
  const distinct = new Set(posts.map(({ content }) => content));
  expect(distinct.size).toBeGreaterThan(4000);
});

describe('every state is there', () => {
  test.each([
    ['users', demo.users, USER_STATUSES],
    ['posts', demo.posts, POST_STATUSES],
    ['tickets', demo.tickets, TICKET_STATUSES],
    ['assignments', demo.assignments, ASSIGNMENT_STATUSES],
  ])('of %s', (_, rows, statuses) => {
    expect(new Set(rows.map(({ status }: { status: string }) => status))).toEqual(
      new Set(statuses),
    );
  });

  test('of users: inactive, prohibited, with keyword, nameless, long-named, without avatar', () => {
    expect(demo.users.some((user) => !user.is_active)).toBe(true);
    expect(demo.users.some((user) => user.upgrade_prohibited)).toBe(true);
    expect(demo.users.some((user) => user.has_access_keyword_access)).toBe(true);
    expect(demo.users.some((user) => user.display_name === null)).toBe(true);
    expect(demo.users.some((user) => Array.from(user.display_name ?? '').length === 60)).toBe(true);
    expect(
      demo.users.some((user) =>
        /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(user.display_name ?? ''),
      ),
    ).toBe(true);
    expect(demo.users.some((user) => user.avatar === null)).toBe(true);
  });

  test('of tickets: unlimited, full, overriding, with and without deadline and memo', () => {
    const { tickets } = demo;
    expect(tickets.some((ticket) => ticket.max_redemptions === null)).toBe(true);
    expect(tickets.some((ticket) => ticket.redemption_count === ticket.max_redemptions)).toBe(true);
    expect(tickets.some((ticket) => ticket.limits_override !== null)).toBe(true);
    for (const column of ['redemption_deadline', 'memo'] as const) {
      expect(tickets.some((ticket) => ticket[column] === null)).toBe(true);
      expect(tickets.some((ticket) => ticket[column] !== null)).toBe(true);
    }
  });

  test('of assignments: with and without ticket, with and without end', () => {
    for (const column of ['ticket_id', 'expires_at'] as const) {
      expect(demo.assignments.some((one) => one[column] === null)).toBe(true);
      expect(demo.assignments.some((one) => one[column] !== null)).toBe(true);
    }
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
      PENDING: (post) => post.scheduled_at > new Date(NOW - 60_000).toISOString(),
      PROCESSING: (post) => post.scheduled_at <= now && post.at_rkey !== null,
      COMPLETED: (post) => (post.executed_at ?? '') > post.scheduled_at && post.at_uri !== null,
      FAILED: (post) => post.scheduled_at <= now && post.error_msg !== null,
      CANCELLED: (post) => post.at_rkey === null,
    };
    expect(posts.filter((post) => !isRight[post.status](post))).toEqual([]);
    const executed = posts.filter((post) => post.executed_at !== null);
    expect(new Set(executed.map(({ status }) => status))).toEqual(new Set(['COMPLETED']));
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
  /** The names that are kept for examples and tests: no one can own them. */
  const RESERVED = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/u;
  const pictures = demo.posts.flatMap(({ embed }) => picturesOf(embed));

  test('in any row', () => {
    const { people: _, ...tables } = demo;
    const named = Object.values(tables).flatMap((rows) => rows.flatMap(hostsIn));
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
    const strays = pictures.filter((picture) => !isOwn(picture));
    expect(strays).toEqual([]);
  });

  test('by an avatar: it is served from here, but for one that is no address', () => {
    const avatars = demo.users.flatMap(({ avatar }) => avatar ?? []);
    expect(avatars.filter((avatar) => !avatar.startsWith('/cdn/avatars/demo/'))).toEqual([
      'javascript:alert(1)',
    ]);
  });
});

test('a ticket counts exactly those who redeemed it, in time', () => {
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
  const wrong = posts.filter(
    ({ id, created_at }) => !UUID_V7.test(id) || timeOf(id) !== Date.parse(created_at),
  );
  expect(wrong).toEqual([]);
});

/** The milliseconds in the first 48 bits. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

function facetsOf(cell: Json | null): Facet[] {
  return cell === null ? [] : (cell.value as Facet[]); // The generator put them there.
}

/** The hosts of all web addresses in a row, wherever they stand. */
function hostsIn(row: object): string[] {
  const found = JSON.stringify(row).matchAll(/https?:\/{2}([^\s/"'\\?#:)]+)/gu);
  return Array.from(found, ([, host = '']) => host);
}

type DemoPicture = string | { key?: string };

function picturesOf(embed: Json | null): DemoPicture[] {
  // Ours too, in one of two forms.
  const { images = [], external } = (embed?.value ?? {}) as {
    images?: DemoPicture[];
    external?: { thumb?: DemoPicture };
  };
  return [...images, ...(external?.thumb === undefined ? [] : [external.thumb])];
}
