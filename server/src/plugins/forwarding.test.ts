import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';
import { sql } from '../db/sql.ts';

/** The counters of one name from one network: network, pair, in a row, unknown networks. */
const COUNTERS_OF_ONE = 4;

type Line = { level: string; msg: string; network?: string; peer?: string; header?: string };

const allFrom = (network: string) => ({
  statuses: [401],
  logged: [network],
  audited: [network],
  counters: COUNTERS_OF_ONE,
});

describe.each(EITHER)('forwarding headers on a real socket, on %s', (engine) => {
  let api: TestApp;
  let port: number;
  let username: string;
  afterEach(() => api.close());

  async function listen(env: Record<string, string> = {}): Promise<void> {
    api = await startTestApp(engine, { env: { LOGIN_FAILURES: '1000', ...env } });
    ({ username } = await api.signIn());
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    // A TCP server has a port.
    ({ port } = api.app.server.address() as AddressInfo);
  }

  /** The status of a login with these header lines, as the bytes a proxy would write. */
  async function login(headerLines: readonly string[]): Promise<number> {
    const body = JSON.stringify({ username, password: 'a wrong password' });
    const socket = connect(port, '127.0.0.1');
    const head = [
      'POST /api/admin/auth/login HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      ...headerLines,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    const response = await text(socket);
    return Number(response.slice('HTTP/1.1 '.length).split(' ')[0]);
  }

  // Each line is one JSON object of our own log.
  const lines = () => api.logged.map((line) => JSON.parse(line) as Line);
  const warnings = () => lines().filter(({ level }) => level === 'warn');
  const loggedNetworks = () =>
    lines().flatMap(({ msg, network }) => (msg === 'Request' ? [network] : []));
  const auditedNetworks = async () => {
    const rows = await api.db.many<{ network: string }>(sql`select network from audit_log`);
    return rows.map(({ network }) => network);
  };
  const counters = async () =>
    (await api.db.one<{ n: number }>(sql`select count(*)::int as n from attempt_buckets`)).n;

  /** What becomes of logins with one of these header lines each. */
  async function loginsWith(headerLines: readonly string[]) {
    const statuses = new Set<number>();
    for (const line of headerLines) statuses.add(await login([line]));
    // A request is logged after its response.
    await expect.poll(() => loggedNetworks().length).toBe(headerLines.length);
    return {
      statuses: [...statuses],
      logged: [...new Set(loggedNetworks())],
      audited: [...new Set(await auditedNetworks())],
      counters: await counters(),
    };
  }

  test('of a peer that is not trusted change nothing, and are warned of once', async () => {
    await listen();
    expect(await login([])).toBe(401);
    expect(warnings()).toEqual([]);
    const claims = ['X-Forwarded-For: 203.0.113.1', 'X-Real-IP: 203.0.113.2', 'Forwarded: for=x'];
    for (const claim of claims) expect(await login([claim])).toBe(401);
    await expect.poll(loggedNetworks).toEqual(Array.from({ length: 4 }, () => '127.0.0.1'));
    expect(await counters()).toBe(COUNTERS_OF_ONE);
    expect(warnings()).toMatchObject([{ peer: '127.0.0.1', header: 'x-forwarded-for' }]);
    expect(warnings()[0]?.msg).toContain('add its address to TRUST_PROXY');
  });

  test.each([
    ['Forwarded: for=203.0.113.1'],
    ['X-Real-IP: 203.0.113.1'],
    ['X-Forwarded-Proto: https'],
    ['CF-Connecting-IP: 203.0.113.1'],
  ])('are warned of when TRUST_PROXY names another proxy: %s', async (claim) => {
    await listen({ TRUST_PROXY: '10.0.0.1' });
    expect(await login([claim])).toBe(401);
    expect(await login([claim])).toBe(401);
    expect(warnings()).toHaveLength(1);
  });

  test('of a trusted proxy name one client by one network, whatever port or spelling', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith([
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-For: 203.0.113.7:1024',
      'X-Forwarded-For: 203.0.113.7:1025',
      'X-Forwarded-For: [::ffff:203.0.113.7]:1026',
      'X-Forwarded-For: ::FFFF:cb00:7107',
      // What the client claims itself, and a trusted proxy that is named with its port.
      'X-Forwarded-For: 198.51.100.9, 203.0.113.7:1027',
      'X-Forwarded-For: 203.0.113.7, 127.0.0.1:8443',
    ]);
    expect(outcome).toEqual(allFrom('203.0.113.7'));
    expect(warnings()).toEqual([]);
  });

  test('of a trusted proxy may bring an IPv6 address in brackets', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith([
      'X-Forwarded-For: 2001:db8:1:2::1',
      'X-Forwarded-For: [2001:DB8:1:2::1]:443',
      'X-Forwarded-For: [2001:0db8:0001:0002:0:0:0:2]',
    ]);
    expect(outcome).toEqual(allFrom('2001:db8:1:2::/64'));
  });

  test('that hold no address make one network, not one per text', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith([
      'X-Forwarded-For: unknown',
      'X-Forwarded-For: _hidden',
      'X-Forwarded-For: 203.0.113.7:port',
      'X-Forwarded-For: 12345',
      `X-Forwarded-For: ${'x'.repeat(4_000)}`,
    ]);
    expect(outcome).toEqual(allFrom('unknown'));
  });

  test('that are empty leave the address of the proxy', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith(['X-Forwarded-For:', 'X-Forwarded-For: ,']);
    expect(outcome).toEqual(allFrom('127.0.0.1'));
  });
});
