import { pathToFileURL } from 'node:url';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import type { SignedIn, TestApp } from '../../test/app.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';

/** The same bytes that took over a session when the proxy was made by hand. */
const LOGIN_WITHOUT_END =
  'POST /api/admin/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"username":"';

const head = (line: string, ...headers: string[]) =>
  [line, 'Host: localhost', ...headers, '', ''].join('\r\n');

describe('a Meridian in front of another Meridian', () => {
  let behind: TestApp;
  let front: FastifyInstance;
  let port: number;
  let admin: SignedIn;
  const attackers: Socket[] = [];

  beforeAll(async () => {
    behind = await startTestApp('embedded');
    admin = await behind.signIn('grace');
    const address = await behind.app.listen({ host: '127.0.0.1', port: 0 });
    front = await buildApp({
      config: readConfig({ UPSTREAM_API: address }),
      log: pino({ level: 'silent' }),
      context: null,
      consoleDir: pathToFileURL('/nowhere/'),
    });
    port = Number(new URL(await front.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(async () => {
    for (const socket of attackers) socket.destroy();
    await front.close();
    await behind.close();
  });

  async function exchange(bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  }

  const login = () => {
    const { username, password } = admin;
    const body = JSON.stringify({ username, password });
    const headers = [
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    return exchange(head('POST /api/admin/auth/login HTTP/1.1', ...headers) + body);
  };

  test.each([
    ['GET', head('GET /api/admin/auth/me HTTP/1.1', 'Content-Length: 700')],
    ['HEAD', head('HEAD /api/admin/auth/me HTTP/1.1', 'Content-Length: 700')],
    [
      'a DELETE in chunks',
      head('DELETE /api/admin/posts/7 HTTP/1.1', 'Transfer-Encoding: chunked') +
        `${LOGIN_WITHOUT_END.length.toString(16)}\r\n${LOGIN_WITHOUT_END}\r\n0\r\n\r\n`,
    ],
    [
      'a GET that carries a request',
      head('GET /api/admin/auth/me HTTP/1.1', `Content-Length: ${LOGIN_WITHOUT_END.length}`) +
        LOGIN_WITHOUT_END,
    ],
  ])('keeps the token of a login from the client that sent %s', async (_, bytes) => {
    const attacker = connect(port, '127.0.0.1').setEncoding('latin1');
    attackers.push(attacker);
    let stolen = '';
    attacker.on('data', (piece: string) => {
      stolen += piece;
    });
    // Writing to a connection that was closed on the attacker is part of the attack.
    attacker.on('error', () => {});
    const refused = new Promise((resolve) => attacker.once('data', resolve));
    const closed = new Promise((resolve) => attacker.once('close', resolve));
    attacker.write(bytes);
    await refused;
    for (let round = 0; round < 3; round += 1) {
      const response = await login();
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(response).toMatch(/"token":"adm_/);
    }
    // Asked again on the same connection, it gets its own refusal and nothing else.
    attacker.write(head('GET /api/admin/auth/me HTTP/1.1', 'Connection: close'));
    await closed;
    expect(stolen).not.toContain('adm_');
    expect(stolen.match(/HTTP\/1\.1 \d+/g)?.every((line) => /40[01]/.test(line))).toBe(true);
  });
});
