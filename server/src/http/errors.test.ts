import { userUpdate } from '@meridian/contract/users';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { insertUser } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';

describe.each(EITHER)('a change that the database refuses on %s', (engine) => {
  const t = setUpApp(engine);
  let token: string;
  beforeAll(async () => {
    ({ token } = await t.signIn());
    await t.db.execute(sql`
      create function fail_by_name() returns trigger language plpgsql as $$
      begin
        raise exception 'refused' using errcode = old.display_name;
      end $$`);
    await t.db.execute(sql`
      create trigger fails before update on users for each row execute function fail_by_name()`);
  });

  test.each([
    ['53100', 'disk_full', 503],
    ['58030', 'io_error', 503],
    ['42501', 'insufficient_privilege', 503],
    ['58P01', 'undefined_file', 500],
  ])('with SQLSTATE %s (%s) has the status %i', async (code, _, status) => {
    const id = await insertUser(t.db, { display_name: code });
    const body = { status: 'BLOCKED' } as const;
    const response = await t.call(userUpdate, { token, params: { id }, body });
    expect(response.status).toBe(status);
    expect(response.headers['retry-after']).toBe(status === 503 ? '2' : undefined);
  });
});

describe('on a real socket', () => {
  const api = setUpApp('embedded');
  let port: number;
  beforeAll(async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    // A TCP server has a port.
    ({ port } = api.app.server.address() as AddressInfo);
  });

  test('bytes that are no HTTP get a plain 400', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.end('HELLO\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"invalid_input"');
  });

  const HOST = 'Host: localhost\r\n';
  test.each([
    ['names no host', '1.1', '', 400],
    ['names one twice', '1.1', HOST + HOST, 400],
    ['names one twice, as of old', '1.0', HOST + HOST, 400],
    ['expects what nobody knows', '1.1', `${HOST}Expect: a miracle\r\n`, 401],
    ['expects to be told to go on', '1.1', `${HOST}Expect: 100-continue\r\n`, 401],
  ])('a request that %s is answered like any other', async (_, version, headers, status) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET /api/admin/auth/me HTTP/${version}\r\n${headers}Connection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^(HTTP/1.1 100 Continue\r\n\r\n)?HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/"code":"\w+","requestId":"/);
  });

  test.each([
    ['a query that is too long', `/api/admin/posts?userFilter=${'x'.repeat(20_000)}`],
    ['an address that cannot be read', '/cdn/%zz'],
    ['a call without a session', '/api/admin/posts'],
  ])('%s is answered with the id of the request in the header too', async (_, path) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET ${path} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    const answer = await text(socket);
    const [, id] = /\r\nx-request-id: (\S+)\r\n/i.exec(answer) ?? [];
    expect(answer).toContain(`"requestId":"${id}"`);
  });

  test('a body that is too large is refused and the next request works', async () => {
    expect(await login(port, 'x'.repeat(65_537))).toBe(413);
    expect(await login(port, '{"username":"a","password":"b"}')).toBe(401);
  });

  test('a connection that stays silent is closed without a word, a slow request with 408', async () => {
    api.app.server.headersTimeout = 50;
    api.app.server.requestTimeout = 100;
    const silent = connect(port, '127.0.0.1');
    const slow = connect(port, '127.0.0.1');
    slow.write('GET /healthz HTTP/1.1\r\nHost: ');
    const [nothing, answer] = await Promise.all([text(silent), text(slow)]);
    expect(nothing).toBe('');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  test('who goes on sending after the 408 is cut off', async () => {
    api.app.server.headersTimeout = 50;
    api.app.server.requestTimeout = 100;
    const accepted = once(api.app.server, 'connection');
    const slow = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    slow.on('error', () => {}).resume();
    slow.write('GET /healthz HTTP/1.1\r\nHost: ');
    const [line] = (await accepted) as [Socket];
    const dripping = setInterval(() => slow.write('a'), 20);
    await once(line, 'close');
    clearInterval(dripping);
    slow.destroy();
    expect(line.bytesWritten).toBeGreaterThan(0);
  });

  test('a body that does not arrive is answered with 408, once', async () => {
    api.app.server.requestTimeout = 100;
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /api/admin/auth/login HTTP/1.1\r\nHost: localhost\r\n');
    socket.write('Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

/** The status that a login with this body gets. */
async function login(port: number, body: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/admin/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return answer.status;
}
