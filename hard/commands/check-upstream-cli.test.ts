import { writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAlteredServer } from '../../server/src/check-upstream/testing/altered-server.ts';
import {
  EXAMPLE_LOGIN,
  startExampleServer,
} from '../../server/src/check-upstream/testing/example-server.ts';
import type { ExampleServer } from '../../server/src/check-upstream/testing/example-server.ts';
import {
  CERTIFICATE,
  CERTIFICATE_KEY,
} from '../../server/src/features/pictures/testing/certificate.ts';
import { setUpFolder } from '../../server/test/folder.ts';
import { runProgram } from '../../server/test/run-program.ts';

const PROGRAM = new URL('check-upstream-cli.ts', import.meta.url);
const { username, password } = EXAMPLE_LOGIN;
let example: ExampleServer;
const folder = setUpFolder();
let loginFile: string;

beforeAll(async () => {
  example = await startExampleServer();
  loginFile = await secretFile('login', `${username}\n${password}\n`);
});
afterAll(() => example.close());

async function secretFile(name: string, text: string, mode = 0o600): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text, { mode });
  return file;
}

/** Nothing listens there any more. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const run = (...args: string[]) => runProgram(PROGRAM, args);
const runOn = (url: string, ...args: string[]) =>
  run('--url', url, '--login-file', loginFile, ...args);

test('ends with 0 when every call fits: the summary first, then a line for each call', async () => {
  const { code, stdout, stderr } = await runOn(example.url);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^16 of 16 calls fit\.\n\nfits {3}POST \/api\/admin\/auth\/login\n/);
  expect(stdout.match(/^fits {3}\w+ \S+$/gmu)).toHaveLength(16);
  expect(stdout).not.toContain(password);
});

test('ends with 1 when one does not, and says where', async () => {
  const broken = await startAlteredServer(example.url, {
    response: (sent, { url }) =>
      url.pathname.endsWith('/auth/me') && sent.status === 200 ? { status: 200, body: [] } : sent,
  });
  const { code, stdout } = await runOn(broken.url);
  await broken.close();
  expect(code).toBe(1);
  expect(stdout).toContain('15 of 16 calls fit.');
  expect(stdout).toContain(
    'wrong  GET /api/admin/auth/me\n         response: expected an object, found a list\n',
  );
});

test('takes a token instead of a login', async () => {
  const body = JSON.stringify(EXAMPLE_LOGIN);
  const login = await fetch(`${example.url}/api/admin/auth/login`, { method: 'POST', body });
  const { token } = (await login.json()) as { token: string }; // the example has no other form
  const tokenFile = await secretFile('token', token);
  const { code, stdout } = await run('--url', example.url, '--token-file', tokenFile);
  expect(code).toBe(0);
  expect(stdout).not.toContain('auth/login');
  expect(stdout).not.toContain(token);
  const env = { UPSTREAM_TOKEN: token };
  const fromEnvironment = await runProgram(PROGRAM, ['--url', example.url], env);
  expect(fromEnvironment).toEqual({ code: 0, stdout, stderr: '' });
});

test('a token of the environment that is none is refused, and not repeated', async () => {
  const env = { UPSTREAM_TOKEN: 'a secret' };
  const { code, stderr } = await runProgram(PROGRAM, ['--url', example.url], env);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^UPSTREAM_TOKEN must be a token and nothing else\.\n/);
  expect(stderr).not.toContain('secret');
});

test('ends with 2 and a sentence when the command line is wrong or there is no connection', async () => {
  const open = await secretFile('open', 'admin\nsecret\n', 0o644);
  const half = await secretFile('half', 'admin\n');
  const cases: [string[], string][] = [
    [[], 'Name the service: --url URL.'],
    [
      ['--url', 'ftp://x', '--login-file', loginFile],
      '--url must be an http:// or https:// address',
    ],
    [
      ['--url', example.url],
      'Give either --token-file FILE or --login-file FILE, or set UPSTREAM_TOKEN.',
    ],
    [
      ['--url', example.url, '--login-file', open],
      'a file that other users cannot read (chmod 600)',
    ],
    [
      ['--url', example.url, '--login-file', half],
      'a file that holds a user name and, on a second line',
    ],
    [['--url', example.url, '--token', 'secret'], 'There is no option --token.'],
    [
      ['--url', await closedAddress(), '--login-file', loginFile],
      'cannot be checked: the connection failed (ECONNREFUSED).',
    ],
  ];
  for (const [args, sentence] of cases) {
    const { code, stdout, stderr } = await run(...args);
    expect([args, code, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n {4}at |\bsecret\b/);
  }
});

test('--help tells how to call it', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  expect(stdout).toContain('npm run check-upstream -- --url');
});

test('says how a certificate of an authority of its own is made known', async () => {
  const server = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  expect(await runOn(url)).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^https:\/\/127\.0\.0\.1:\d+ cannot be checked: its certificate cannot be verified \(\w+\); .* NODE_EXTRA_CA_CERTS\.\n$/,
    ),
  });
  await new Promise((resolve) => server.close(resolve));
});
