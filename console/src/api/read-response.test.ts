import { assignmentList } from '@meridian/contract/assignments';
import { authLogin, authMe } from '@meridian/contract/auth';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { planGet } from '@meridian/contract/plans';
import { postGet } from '@meridian/contract/posts';
import { isResponse } from '@meridian/contract/response-shape';
import { settingsGet } from '@meridian/contract/settings';
import { statsGet } from '@meridian/contract/stats';
import { ticketGet } from '@meridian/contract/tickets';
import { userGet, userList } from '@meridian/contract/users';
import { describe, expect, test } from 'vitest';
import { readResponse } from './read-response.ts';

function read<E extends Endpoint>(endpoint: E, raw: unknown) {
  // As in call(): the schema read along is the one the type comes from.
  return readResponse(endpoint.answer, raw) as AnswerOf<E>;
}

const USER = { id: 'u1', did: 'did:plc:a', handle: 'a.example', status: 'ACTIVE' };

describe('one resource', () => {
  test('comes with its envelope or without', () => {
    const bare = read(userGet, USER);
    expect(bare.user).toMatchObject(USER);
    expect(read(userGet, { user: USER })).toEqual({ user: bare.user });
  });

  test('a bare ticket may carry its assignments along', () => {
    const { ticket, assignments } = read(ticketGet, { id: 't1', assignments: [{ id: 'a1' }] });
    expect(ticket.id).toBe('t1');
    expect(assignments.map(({ id }) => id)).toEqual(['a1']);
  });

  test('settings may come in an envelope too', () => {
    expect(read(settingsGet, { settings: { is_closed_beta: true } }).is_closed_beta).toBe(true);
  });

  test('what is no resource is not taken for one', () => {
    expect(read(userGet, { success: true }).user.id).toBe('');
    expect(read(userGet, null).user.handle).toBe('');
  });
});

describe('missing and odd values', () => {
  test('become the emptiest of their kind', () => {
    expect(read(userGet, { user: USER }).user).toMatchObject({
      display_name: null,
      avatar: null,
      upgrade_prohibited: undefined,
      created_at: '',
    });
    expect(read(userList, {})).toEqual({ users: [], total: 0 });
    expect(read(statsGet, {}).posts).toEqual({ total: undefined, byStatus: [] });
    expect(read(postGet, { id: 'p1' }).post).toMatchObject({ user: null, languages: [] });
    expect(read(authMe, { username: 'a' })).toEqual({
      username: 'a',
      displayName: null,
      features: undefined,
    });
    expect(read(authLogin, { token: 't' }).admin).toEqual({ username: '', displayName: null });
  });

  test('that are only shown stay missing', () => {
    expect(read(userGet, { user: USER }).user.is_active).toBeUndefined();
    expect(read(userGet, { user: { ...USER, is_active: false } }).user.is_active).toBe(false);
    expect(read(ticketGet, { ticket: { id: 't1' } }).ticket.redemptionCount).toBeUndefined();
  });

  test.each([
    ['yes', undefined],
    [2, undefined],
    ['', undefined],
    ['true', true],
    [1, true],
    ['false', false],
    [0, false],
  ])('a flag that came as %j is %j', (is_active, expected) => {
    expect(read(userGet, { user: { ...USER, is_active } }).user.is_active).toBe(expected);
  });

  test.each([
    ['soon', undefined],
    ['', undefined],
    [[], undefined],
    ['30', 30],
  ])('a count that came as %j is %j', (validDays, expected) => {
    expect(read(ticketGet, { ticket: { id: 't1', validDays } }).ticket.validDays).toBe(expected);
  });

  test('numbers as text and text as numbers are understood', () => {
    const { users, total } = read(userList, { users: [{ ...USER, id: 7 }], total: '57' });
    expect([users[0]?.id, total]).toEqual(['7', 57]);
  });

  test('unknown fields and words pass through', () => {
    const { user } = read(userGet, { user: { ...USER, status: 'ON_HOLD', extra: 1 } });
    expect(user).toMatchObject({ status: 'ON_HOLD', extra: 1 });
    expect(read(settingsGet, { is_closed_beta: true, more: 'x' })).toMatchObject({
      is_closed_beta: true,
      is_service_suspended: undefined,
      more: 'x',
    });
  });
});

test('one text in place of one per language is the English one', () => {
  const { plan } = read(planGet, { plan: { id: 'p1', displayName: 'Studio', limits: 'none' } });
  expect([plan.displayName, plan.limits]).toEqual([{ en: 'Studio' }, {}]);
});

test('a resource is an answer without the list beside it, a list is none without itself', () => {
  expect(isResponse(ticketGet.answer, { ticket: { id: 't1' } })).toBe(true);
  expect(isResponse(ticketGet.answer, { assignments: [] })).toBe(false);
  expect(isResponse(userList.answer, { total: 1 })).toBe(false);
});

test('limits are read under both names', () => {
  const limits = { video_upload: true, video_processing_minutes_monthly: 30, storage_mb: null };
  expect(read(planGet, { plan: { id: 'p1', limits } }).plan.limits).toEqual({
    video_upload_enabled: true,
    video_processing_minutes_per_month: 30,
    storage_mb: null,
  });
  const { assignments } = read(assignmentList, { assignments: [{ plan: { limits } }] });
  expect(assignments[0]?.plan.limits['video_upload_enabled']).toBe(true);
  expect(assignments[0]?.ticket).toBeNull();
});
