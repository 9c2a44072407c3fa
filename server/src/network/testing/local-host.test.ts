import { afterEach, describe, expect, test } from 'vitest';
import { cidOfRecord, newRkey } from '../identity.ts';
import type { PostRecord } from '../network.ts';
import { createHeaderNetwork } from './header-network.ts';
import { startLocalHost } from './local-host.ts';
import type { Fault, LocalHostOptions } from './local-host.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const DID = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';
const writeOf = (text: string) => {
  const createdAt = '2026-11-16T12:00:00.000Z';
  const record: PostRecord = { $type: 'app.bsky.feed.post', text, createdAt };
  return { rkey: newRkey(), cid: cidOfRecord(record), record };
};

async function start(options?: LocalHostOptions) {
  const host = await startLocalHost(options);
  closers.push(() => host.close());
  const networkWith = (timeoutMs: number) => {
    const network = createHeaderNetwork({
      authorize: (account) => host.authorize(account),
      timeoutMs,
    });
    closers.push(() => network.close());
    return network;
  };
  const account = { userId: 'u', did: DID, host: host.url };
  // Patient, since a busy machine takes its time; only what must time out waits less.
  return { host, account, network: networkWith(60_000), hasty: networkWith(3_000) };
}

test('it reports what arrived, and what was published twice', async () => {
  const { host, network, account } = await start();
  const once = writeOf('Once');
  await network.putRecord(account, once);
  const repeated = await network.putRecord(account, once);
  expect(repeated).toMatchObject({ kind: 'response', status: 200, body: { cid: once.cid } });
  await network.applyWrites(account, [writeOf('Twice'), writeOf('Other')]);
  await network.putRecord(account, writeOf('Twice'));
  const { requests, arrivals, duplicates } = host.report();
  expect(requests).toBe(4);
  expect(arrivals.map(({ did, text }) => ({ did, text }))).toEqual([
    { did: DID, text: 'Once' },
    { did: DID, text: 'Twice' },
    { did: DID, text: 'Other' },
    { did: DID, text: 'Twice' },
  ]);
  expect(duplicates).toEqual([{ did: DID, text: 'Twice', count: 2 }]);
});

describe('faults', () => {
  test.each([
    { fault: 'refuse_before', arrived: 0, response: { status: 503 } },
    { fault: 'error_after', arrived: 1, response: { status: 502, error: 'UpstreamFailure' } },
    { fault: 'cut_after', arrived: 1, response: { kind: 'no_response', reason: 'cut' } },
    { fault: 'slow', arrived: 1, response: { kind: 'no_response', reason: 'timeout' } },
  ] as const)('$fault', async ({ fault, arrived, response }) => {
    let next: Fault = fault;
    const { host, network, hasty, account } = await start({ fault: () => next });
    const write = writeOf('Faulty');
    const first = fault === 'slow' ? hasty : network;
    expect(await first.putRecord(account, write)).toMatchObject(response);
    expect(host.report().arrivals).toHaveLength(arrived);
    next = null;
    expect(await network.putRecord(account, write)).toMatchObject({ status: 200 });
    expect(host.report()).toMatchObject({ arrivals: [{ rkey: write.rkey }], duplicates: [] });
  });
});
