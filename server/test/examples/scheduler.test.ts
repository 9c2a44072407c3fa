import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseSetCookie, stringifyCookie } from 'cookie';
import { afterEach, expect, test } from 'vitest';
import { createClosers } from '../../src/background-task.ts';
import { createTestDatabase } from '../cluster/test-database.ts';
import { setUpFolder } from '../folder.ts';
import { ServerProcess } from '../process.ts';
import { runProgram } from '../run-program.ts';
import { examplesFor, linesOf, ROOT } from './read-examples.ts';

const TITLE = 'the commands of the guide make a token, and the example schedules with it';
const ADMIN_CLI = new URL('../../src/admin-cli/admin-cli.ts', import.meta.url);

const closers = createClosers();
afterEach(() => closers.closeAll());
const folder = setUpFolder();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  await once(server, 'close');
  return port;
}

/** A browser without scripts: it keeps cookies by origin, submits forms and follows where it is led. */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  return async function open(address: string, form?: Record<string, string>) {
    let [url, body] = [new URL(address), form && new URLSearchParams(form)];
    for (let hops = 0; hops < 10; hops += 1) {
      const jar = jars.get(url.origin) ?? new Map<string, string>();
      jars.set(url.origin, jar);
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: stringifyCookie(Object.fromEntries(jar)) },
        ...(body && { method: 'POST', body }),
      });
      for (const line of response.headers.getSetCookie()) {
        const { name, value = '' } = parseSetCookie(line);
        jar.set(name, value);
      }
      const next =
        response.headers.get('location') ?? response.headers.get('refresh')?.replace('0;url=', '');
      const text = await response.text();
      if (next === undefined) return { url: url.href, text };
      [url, body] = [new URL(next, url), undefined];
    }
    throw new Error('The browser is led in circles');
  };
}

test('the commands of the guide make a token, and the example schedules with it', async () => {
  const [commands, start] = examplesFor(TITLE);
  if (commands === undefined || start === undefined) throw new Error('The guide has no such steps');
  const database = await createTestDatabase('server');
  closers.add(() => database.drop());
  const env = { DATABASE_URL: database.connectionString, DATA_DIR: folder };
  const meridian = await ServerProcess.start({ ...env, NETWORK: 'local' });
  closers.add(async () => void (await meridian.stop()));
  const port = String(await freePort());

  const said: string[] = [];
  for (const line of linesOf(commands)) {
    const args = line.replace('npm run admin -- ', '').replace('4100', port).split(' ');
    const { code, stdout, stderr } = await runProgram(ADMIN_CLI, args, env);
    expect([code, stderr]).toEqual([0, '']);
    said.push(stdout);
  }
  const [, made = '', listed] = said;
  expect(listed).toMatch(/ my-app {2}of admin .*\n {2}members\n/);
  const token = /mer_[\w-]{43}/.exec(made)?.[0] ?? '';

  const [program = ''] = linesOf(start).map((line) => line.split(' ').at(-1));
  const example = spawn(process.execPath, [join(ROOT, program)], {
    env: { MERIDIAN: meridian.url, MERIDIAN_TOKEN: token, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.add(async () => void example.kill());
  const [line] = await once(createInterface(example.stdout), 'line');
  expect(line).toBe(`Listening on http://localhost:${port}`);

  const home = `http://localhost:${port}/`;
  const open = createBrowser();
  expect((await open(home)).text).toContain('Sign in');
  const consent = await open(`${home}sign-in`, { handle: 'reader.test' });
  const state = /name="state" value="([^"]+)"/.exec(consent.text)?.[1] ?? '';
  const fields = { state, handle: 'reader.test', decision: 'allow' };
  const signedIn = await open(new URL('/local-network/consent', consent.url).href, fields);
  expect([signedIn.url, signedIn.text]).toEqual([home, expect.stringContaining('@reader.test')]);

  const scheduledAt = new Date(Date.now() + 300_000).toISOString();
  const post = { key: 'once', content: 'Made by <another> program', scheduledAt };
  await open(`${home}posts`, post);
  const { text } = await open(`${home}posts`, post);
  expect(text.match(/<li>PENDING \S+ Made by &#60;another> program/g)).toHaveLength(1);
  // Another browser is nobody.
  expect((await createBrowser()(home)).text).toContain('Sign in');
});
