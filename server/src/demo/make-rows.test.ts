import { createHash } from 'node:crypto';
import { ASSIGNMENT_STATUSES } from '@meridian/contract/assignments';
import { POST_STATUSES } from '@meridian/contract/posts';
import { TICKET_STATUSES } from '@meridian/contract/tickets';
import { USER_STATUSES } from '@meridian/contract/users';
import { describe, expect, test } from 'vitest';
import { makeDemoRows } from './make-rows.ts';
import { lengthOf } from './rich-text.ts';
import type { Facet } from './rich-text.ts';
import { Json } from './rows.ts';
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
  const has = (rows: { status: string }[]) =>
    [...new Set(rows.map(({ status }) => status))].toSorted();

  test.each([
    ['users', demo.users, USER_STATUSES],
    ['posts', demo.posts, POST_STATUSES],
    ['tickets', demo.tickets, TICKET_STATUSES],
    ['assignments', demo.assignments, ASSIGNMENT_STATUSES],
  ])('of %s', (_, rows, statuses) => {
    expect(has(rows)).toEqual([...statuses].toSorted());
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
  const dids = new Set(demo.users.map(({ did }) => did));

  test('have facets that cut exactly what they mark, and mention real users', () => {
    let mentions = 0;
    for (const { content, facets } of posts) {
      const bytes = Buffer.from(content);
      for (const { index, features } of facetsOf(facets)) {
        const cut = bytes.subarray(index.byteStart, index.byteEnd).toString();
        const [feature] = features;
        if (feature?.tag !== undefined) expect(cut).toBe(`#${feature.tag}`);
        else if (feature?.uri !== undefined)
          expect(`https://${cut.replace('https://', '')}`).toBe(feature.uri);
        else {
          expect(dids).toContain(feature?.did);
          expect(cut).toMatch(/^@[a-z0-9.-]+\.example$/u);
          mentions += 1;
        }
      }
    }
    expect(mentions).toBeGreaterThan(100);
  });

  test('were written before they were due, and are done, open or under way as the clock says', () => {
    const joinedAt = new Map(demo.users.map(({ id, created_at }) => [id, created_at]));
    const now = new Date(NOW).toISOString();
    for (const post of posts) {
      expect(post.created_at < post.scheduled_at).toBe(true);
      expect(post.created_at < now).toBe(true);
      expect(post.created_at > (joinedAt.get(post.user_id) ?? '9')).toBe(true);
      expect(post.updated_at >= post.created_at).toBe(true);
      if (post.status === 'PENDING')
        expect(post.scheduled_at > new Date(NOW - 60_000).toISOString()).toBe(true);
      else if (post.status !== 'CANCELLED') expect(post.scheduled_at <= now).toBe(true);
      expect(post.executed_at !== null).toBe(post.status === 'COMPLETED');
      expect((post.executed_at ?? '9') > post.scheduled_at).toBe(true);
      expect(post.error_msg !== null).toBe(post.status === 'FAILED');
    }
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
    for (const post of posts.filter(({ status }) => status === 'COMPLETED')) {
      expect(post.at_rkey).toMatch(/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/u);
      expect(post.at_uri).toBe(
        `at://${didOf.get(post.user_id)}/app.bsky.feed.post/${post.at_rkey}`,
      );
    }
  });

  test('fit the network, but for those that failed because they do not', () => {
    const long = posts.filter(({ content }) => lengthOf(content) > 300);
    expect(long.length).toBeGreaterThan(0);
    for (const { status, error_msg, content } of long.filter(({ status }) => status === 'FAILED')) {
      expect(status).toBe('FAILED');
      expect(error_msg).toContain(`got ${lengthOf(content)}`);
    }
    expect(long.filter(({ status }) => status === 'COMPLETED')).toEqual([]);
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
  for (const { id, created_at } of posts) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(created_at));
  }
});

function facetsOf(cell: Json | null): Facet[] {
  return cell === null ? [] : (cell.value as Facet[]); // The generator put them there.
}
