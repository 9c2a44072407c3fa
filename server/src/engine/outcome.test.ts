import { CAUSES, operatorSentence } from '@meridian/contract/causes';
import type { Cause } from '@meridian/contract/cause-words';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NetworkResponse } from '../network/network.ts';
import { cidOfRecord } from '../network/identity.ts';
import { backoffMs, decide } from './outcome.ts';
import type { Situation, Step } from './outcome.ts';
import {
  first,
  inWords,
  limited,
  MINUTE,
  NOW,
  OWN_CID,
  repeated,
  responded,
  signalOf,
  silent,
  unchanged,
  URI,
  written,
} from './testing/responses.ts';

const reached = new Set<string>();
function decided(response: Parameters<typeof decide>[0], situation: Partial<Situation> = {}) {
  const decision = decide(response, { ...first, ...situation });
  const last = decision.kind === 'look' ? decision.otherwise : decision;
  const sentence = 'cause' in last ? operatorSentence(last.cause, last.facts) : '';
  expect(sentence).not.toMatch(/undefined|null|[{}[\]]/u);
  if ('cause' in last) reached.add(last.cause);
  return decision;
}

const refused = (status: number, word: string, expected: string) =>
  [word, responded(status, word), expected, 'ok'] as const;

describe('the first attempt at a post', () => {
  const reconnect = 'hold reconnect reconnect [RECONNECT]';
  const takenDown = 'fail taken_down (refused) [TAKEN_DOWN]';
  const deactivated = 'hold account_off account_deactivated [DEACTIVATED]';
  test.each<readonly [string, NetworkResponse, string, string]>([
    ['200 with commit', responded(200, null, written), 'published', 'ok'],
    ['200 without commit', responded(200, null, unchanged), 'already', 'ok'],
    refused(400, 'ExpiredToken', 'retry token_expired +0s'),
    refused(400, 'InvalidToken', reconnect),
    refused(401, 'AuthMissing', reconnect),
    refused(401, 'AuthenticationRequired', reconnect),
    refused(401, 'AuthFactorTokenRequired', reconnect),
    refused(401, 'Another', reconnect),
    refused(403, 'ScopeMissingError', 'hold reconnect scope_missing [RECONNECT]'),
    refused(401, 'AccountTakedown', takenDown),
    refused(400, 'RepoTakendown', takenDown),
    refused(401, 'AccountDeactivated', deactivated),
    refused(400, 'RepoDeactivated', deactivated),
    refused(403, 'AccountNotFound', 'hold reconnect moved [RECONNECT]'),
    refused(400, 'RepoNotFound', 'fail account_gone (refused) [GONE]'),
    [
      'no response of the directory',
      {
        kind: 'no_response',
        reason: 'unreachable',
        status: null,
        elsewhere: 'https://plc.example',
      },
      'retry network_unreachable +2s',
      'no call',
    ],
    ['429 of the address', limited(120), 'retry rate_limited_host +120s', 'limited +120s'],
    [
      '429 of the account',
      limited(1800),
      'retry rate_limited_account +1800s',
      'account_limited +1800s',
    ],
    ['429 without a time', limited(null), 'retry rate_limited_host +60s', 'limited +60s'],
    ['429 with a time in the past', limited(-90), 'retry rate_limited_host +1s', 'limited +1s'],
    ['429 past the late limit', limited(7200), 'fail too_late (refused)', 'account_limited +7200s'],
    [
      '429 of a proxy',
      { ...limited(5), error: null },
      'retry rate_limited_host +5s',
      'limited +5s',
    ],
    refused(400, 'InvalidRequest', 'fail invalid_record (refused)'),
    refused(400, 'constructor', 'fail invalid_record (refused)'),
    refused(413, 'PayloadTooLarge', 'fail invalid_record (refused)'),
    refused(400, 'BlobNotFound', 'retry blob_refused +0s'),
    refused(400, 'InvalidMimeType', 'retry blob_refused +0s'),
    refused(400, 'InvalidSize', 'retry blob_refused +0s'),
    refused(400, 'InvalidSwap', 'look, else retry host_down +2s'),
    refused(403, 'Forbidden', 'retry host_down +2s'),
    ['500', responded(500, 'InternalServerError'), 'retry host_down +2s', 'down'],
    ['502', responded(502, 'UpstreamFailure'), 'retry host_down +2s', 'down'],
    ['504', responded(504, 'UpstreamTimeout'), 'retry host_down +2s', 'down'],
    ['a redirect', responded(302), 'retry host_down +2s', 'down'],
    ['no connection', silent('unreachable'), 'retry network_unreachable +2s', 'unreachable'],
    ['a timeout', silent('timeout'), 'retry host_slow +2s', 'slow'],
    ['a cut connection', silent('cut', 200), 'retry host_down +2s', 'down'],
    ['HTML', silent('unreadable', 200), 'retry host_down +2s', 'down'],
    ['10 MB', silent('too_large', 200), 'retry host_down +2s', 'down'],
  ])('%s', (_, response, expected, host) => {
    const decision = decided(response);
    expect(inWords(decision)).toBe(expected);
    expect(signalOf(decision)).toBe(host);
  });

  test('a limit that ends past the late limit says how late the post would be', () => {
    const decision = decided(limited(7200));
    expect(decision.kind === 'fail' && operatorSentence(decision.cause, decision.facts)).toMatch(
      /^Not published in time: 120 min late, the limit is 60 min\. Last cause: The account has used/,
    );
  });

  test.each([500, 502, 503, 504])(
    'a %i never means that the account is not connected',
    (status) => {
      for (const error of ['InvalidToken', 'AuthMissing', 'AccountTakedown', 'InvalidRequest']) {
        expect(inWords(decided(responded(status, error)))).toBe('retry host_down +2s');
      }
    },
  );
});

describe('what this call may have done', () => {
  test.each<[NetworkResponse, boolean]>([
    [responded(200, null, written), true],
    [responded(400, 'InvalidRequest'), false],
    [responded(429, 'RateLimitExceeded'), false],
    [responded(408), true],
    [responded(500), true],
    [silent('unreachable'), false],
    [silent('timeout'), true],
    [silent('cut'), true],
    [silent('unreadable', 404), true],
  ])('%o', (response, maybeSent) => {
    expect(decided(response).maybeSent).toBe(maybeSent);
    expect(decided(response, { call: 'uploadBlob' }).maybeSent).toBe(false);
  });
});

const again = (error: string, previousCause: Cause) =>
  inWords(decided(responded(400, error), { previousCause }));

describe('backoff and deadlines', () => {
  test('waits longer after every failure, and the last attempt is at the deadline', () => {
    const sent = { everSent: true, firstSentAt: NOW - 9 * MINUTE };
    expect(inWords(decided(responded(500), { transientFailures: 3 }))).toBe('retry host_down +45s');
    expect(inWords(decided(responded(500), { ...sent, transientFailures: 5 }))).toBe(
      'retry host_down +60s',
    );
  });

  test('10 minutes after the first send the host is asked once more, then the outcome is unknown', () => {
    const sent = { everSent: true, firstSentAt: NOW - 10 * MINUTE };
    for (const response of [responded(500), silent('timeout'), silent('unreachable')]) {
      expect(inWords(decided(response, sent))).toBe('look, else fail unknown_outcome (unknown)');
    }
    expect(inWords(decided(limited(1800), repeated))).toBe(
      'look, else fail unknown_outcome (unknown)',
    );
  });

  test('when nothing was ever sent it is tried until the late limit', () => {
    const late = { dueAt: NOW - 59 * MINUTE };
    expect(inWords(decided(silent('unreachable'), { ...late, transientFailures: 9 }))).toBe(
      'retry network_unreachable +60s',
    );
    const decision = decided(silent('unreachable'), { dueAt: NOW - 60 * MINUTE });
    expect(inWords(decision)).toBe('fail too_late (refused)');
    expect(decision.kind === 'fail' && operatorSentence('too_late', decision.facts)).toBe(
      'Not published in time: 60 min late, the limit is 60 min. Last cause: Could not reach pds.example',
    );
  });

  test.each([
    ['InvalidSwap', responded(400, 'InvalidSwap'), 'putRecord'],
    ['another CID', responded(200, null, { ...written, cid: 'bafyother' }), 'putRecord'],
    ['500 of a repeated thread', responded(500), 'applyWrites'],
  ] as const)('%s at the deadline asks for one look, which settles it', (_, response, call) => {
    const late = { everSent: true, firstSentAt: NOW - 11 * MINUTE, call } as const;
    expect(inWords(decided(response, late))).toBe('look, else fail unknown_outcome (unknown)');
  });

  test('a post whose host takes no call waits no longer than its deadline', () => {
    const closed = {
      kind: 'wait',
      until: NOW + 5 * MINUTE,
      cause: 'host_down',
      facts: {},
    } as const;
    const put = (situation: Partial<Situation>) =>
      inWords(decided(closed, { call: 'getRecord', ...situation }));
    expect(put({})).toBe('retry host_down +300s');
    expect(put({ dueAt: NOW - 59 * MINUTE })).toBe('retry host_down +60s');
    expect(put({ dueAt: NOW - 60 * MINUTE })).toBe('fail too_late (refused)');
    expect(put({ everSent: true, firstSentAt: NOW - 10 * MINUTE })).toBe(
      'fail unknown_outcome (unknown)',
    );
  });

  test('what is tried once more is tried no third time', () => {
    expect(again('ExpiredToken', 'token_expired')).toBe('hold reconnect reconnect [RECONNECT]');
    expect(again('BlobNotFound', 'blob_refused')).toBe('fail blob_refused (refused)');
    expect(again('BlobNotFound', 'token_expired')).toBe('retry blob_refused +0s');
  });

  test('a refusal after an unclear attempt is checked before the post fails', () => {
    expect(inWords(decided(responded(401, 'AccountTakedown'), repeated))).toBe(
      'look, else fail taken_down (refused) [TAKEN_DOWN]',
    );
  });
});

describe('uploads', () => {
  test.each<[string, NetworkResponse, string]>([
    ['stored', responded(200, null, { blob: { ref: { $link: OWN_CID } } }), 'uploaded'],
    [
      'other bytes',
      responded(200, null, { blob: { ref: { $link: 'x' } } }),
      'retry blob_refused +0s',
    ],
    ['413', responded(413, 'PayloadTooLarge'), 'fail image_too_large (refused)'],
    ['InvalidRequest', responded(400, 'InvalidRequest'), 'retry blob_refused +0s'],
    ['500', responded(500), 'retry host_down +2s'],
    ['ExpiredToken', responded(400, 'ExpiredToken'), 'retry token_expired +0s'],
  ])('%s', (_, response, expected) => {
    expect(inWords(decided(response, { call: 'uploadBlob' }))).toBe(expected);
  });
});

describe('threads', () => {
  const results = [{ uri: URI, cid: OWN_CID }, { cid: 'bafyother' }];
  test.each<[string, NetworkResponse, Partial<Situation>, string, string]>([
    ['200', responded(200, null, { commit: {}, results }), {}, 'published', 'ok'],
    ['200 without results', responded(200, null, {}), {}, 'look, else retry host_down +2s', 'ok'],
    ['first 500', responded(500), {}, 'retry host_down +2s', 'down'],
    ['500 of a repetition', responded(500), repeated, 'look, else retry host_down +2s', 'ok'],
  ])('%s', (_, response, situation, expected, host) => {
    const decision = decided(response, { ...situation, call: 'applyWrites' });
    expect(inWords(decision)).toBe(expected);
    expect(signalOf(decision)).toBe(host);
  });
});

describe('the response to getRecord', () => {
  const facts = {};
  const retry: Step = { kind: 'retry', cause: 'host_down', at: NOW + 2000, facts };
  const refused: Step = { kind: 'fail', cause: 'taken_down', outcome: 'refused', facts };
  const unknown: Step = { kind: 'fail', cause: 'unknown_outcome', outcome: 'unknown', facts };
  const absent = responded(400, 'RecordNotFound');
  const ours = responded(200, null, { uri: URI, cid: OWN_CID, value: {} });
  const other = responded(200, null, { uri: URI, cid: 'bafyother', value: {} });
  test.each<[string, NetworkResponse, Step, string]>([
    ['ours', ours, retry, 'already'],
    ['ours, after the window', ours, unknown, 'already'],
    ['ours, although refused', ours, refused, 'already'],
    ['another record', other, retry, 'altered'],
    ['absent', absent, retry, 'retry host_down +2s'],
    ['absent and refused', absent, refused, 'fail taken_down (refused)'],
    ['absent after the window', absent, unknown, 'fail unknown_outcome (unknown)'],
    ['502', responded(502, 'UpstreamFailure'), retry, 'retry host_down +2s'],
    ['502 and refused', responded(502), refused, 'retry host_down +2s'],
    ['502 after the window', responded(502), unknown, 'fail unknown_outcome (unknown)'],
    ['a timeout and refused', silent('timeout'), refused, 'retry host_down +2s'],
    ['200 without CID', responded(200, null, {}), retry, 'retry host_down +2s'],
    ['another 400', responded(400, 'InvalidRequest'), retry, 'retry host_down +2s'],
  ])('%s', (_, response, otherwise, expected) => {
    const decision = decided(response, { ...repeated, call: 'getRecord', otherwise });
    expect(inWords(decision)).toBe(expected);
    expect(decision.maybeSent).toBe(false);
  });

  const record = { text: 'Hello', createdAt: '2026-11-16T13:00:00.000Z' };
  const own = { ownCid: cidOfRecord(record), ownRecord: record };
  test.each<[string, unknown, string]>([
    ['its time alone', { ...record, createdAt: '2026-11-16T12:00:00.000Z' }, 'already'],
    ['its text', { ...record, text: 'Hello!' }, 'altered'],
    ['a field more', { ...record, langs: ['en'] }, 'altered'],
    ['everything', null, 'altered'],
    ['what cannot be encoded', { ...record, at: Infinity }, 'altered'],
  ])('a record under our key that differs in %s', (_, value, expected) => {
    const found = responded(200, null, { uri: URI, cid: 'bafyother', value });
    const situation = { ...first, ...own, call: 'getRecord' } as const;
    expect(inWords(decided(found, situation))).toBe(expected);
    // Whatever it is, it is ours where ours is lost.
    expect(inWords(decided(found, { ...situation, ownRecord: null }))).toBe('already');
  });

  test('a large record is compared in less time than it takes to read', () => {
    const fields = JSON.stringify(Array.from({ length: 110_000 }, (_, n) => [`f${n}`, 1]));
    const many = JSON.stringify(Object.fromEntries(JSON.parse(fields)));
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const text of [many, `{"text":${many}}`, `{"text":${deep}}`]) {
      const times = Array.from({ length: 5 }, () => {
        const startedAt = performance.now();
        const body = { cid: 'bafyother', value: JSON.parse(text) };
        const readAt = performance.now();
        const decision = decided(responded(200, null, body), {
          ...first,
          ...own,
          call: 'getRecord',
        });
        expect(decision.kind).toBe('retry');
        return { reading: readAt - startedAt, deciding: performance.now() - readAt };
      });
      const least = (of: (time: (typeof times)[number]) => number) => Math.min(...times.map(of));
      expect(least(({ deciding }) => deciding)).toBeLessThan(least(({ reading }) => reading));
    }
  });

  test('never asks for another look', () => {
    const late = { everSent: true, firstSentAt: NOW - 11 * MINUTE, call: 'getRecord' } as const;
    expect(inWords(decided(responded(502), { ...late, otherwise: refused }))).toBe(
      'fail unknown_outcome (unknown)',
    );
    expect(decided(responded(502), late).kind).toBe('fail');
  });
});

describe('faults of our own', () => {
  test.each<[Partial<Situation>, string]>([
    [{ call: 'uploadBlob' }, 'retry internal +2s'],
    [{ call: 'uploadBlob', transientFailures: 2, faults: 2 }, 'retry internal +15s'],
    [{ call: 'uploadBlob', faults: 3 }, 'fail internal (refused)'],
    // Failures of the host are none of ours.
    [{ call: 'uploadBlob', transientFailures: 3, faults: 2 }, 'retry internal +45s'],
    [{ faults: 3 }, 'look, else fail internal (unknown)'],
    [{ ...repeated, call: 'getRecord', faults: 3 }, 'fail internal (unknown)'],
  ])('%o', (situation, expected) => {
    expect(inWords(decided({ kind: 'fault', reference: 'req-1' }, situation))).toBe(expected);
  });
});

test('every cause that a response can have is reached above', () => {
  /** Decided while a post is prepared, claimed or settled. */
  const elsewhere = [
    'too_long',
    'too_many_images',
    'image_type',
    'media_missing',
    'parent_gone',
    'quota',
    'published_after_cancel',
  ];
  expect([...reached, ...elsewhere].toSorted()).toEqual(Object.keys(CAUSES).toSorted());
});

const waits = (chance: number) =>
  [0, 1, 2, 3, 4, 5, 6, 1000].map((failures) => backoffMs(failures, () => chance) / 1000);

test('2, 5, 15, 45, 120 and from then on 300 seconds, a fifth more or less', () => {
  expect(waits(0.5)).toEqual([2, 5, 15, 45, 120, 300, 300, 300]);
  expect(waits(0)).toEqual([1.6, 4, 12, 36, 96, 240, 240, 240]);
  expect(waits(1)).toEqual([2.4, 6, 18, 54, 144, 360, 360, 360]);
});

test('hostile responses neither throw nor count as published', () => {
  const anyBody = fc.oneof(
    fc.anything(),
    fc.record({ uri: fc.string(), cid: fc.anything(), commit: fc.anything() }),
    fc.record({ results: fc.anything(), blob: fc.anything(), commit: fc.anything() }),
  );
  const words = ['InvalidSwap', 'RecordNotFound', 'RateLimitExceeded', '__proto__', 'toString'];
  const response: fc.Arbitrary<NetworkResponse> = fc.record({
    kind: fc.constant('response' as const),
    status: fc.oneof(fc.constantFrom(200, 400, 401, 429, 500), fc.integer()),
    error: fc.oneof(fc.constant(null), fc.constantFrom(...words), fc.string()),
    message: fc.option(fc.string(), { nil: null }),
    body: anyBody,
    retryAt: fc.option(fc.date({ noInvalidDate: false }), { nil: null }),
  });
  const situations = fc.record({
    call: fc.constantFrom('putRecord', 'applyWrites', 'uploadBlob', 'getRecord'),
    everSent: fc.boolean(),
    transientFailures: fc.nat(),
  });
  fc.assert(
    fc.property(response, situations, (hostile, situation) => {
      const decision = decide(hostile, { ...first, ...situation });
      expect(['published', 'already', 'uploaded', 'altered']).not.toContain(
        decision.kind === 'altered' && situation.call === 'getRecord' ? 'fine' : decision.kind,
      );
      expect(decision.kind === 'retry' ? decision.at : NOW).toBeGreaterThanOrEqual(NOW);
    }),
    { numRuns: 2000 },
  );
});
