import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Judges the API's description as a running server gives it out: two linters, and a client made from it. */
const here = import.meta.dirname;
const root = join(here, '../..');
const folder = await mkdtemp(join(tmpdir(), 'meridian-openapi-'));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};
const execute = promisify(execFile);

/** Answers with what the tool printed, whatever it found. */
async function tool(name, args) {
  const bin = join(here, 'node_modules/.bin', name);
  const options = { cwd: folder, env, maxBuffer: 100_000_000 };
  const run = await execute(process.execPath, [bin, ...args], options).catch((error) => error);
  if (run.stdout === '' && run.code !== undefined) throw run;
  return run.stdout;
}

/** The rules that are left out: a service of one's own has no contact, and Spectral reads patterns without the u flag. */
const RULES = {
  extends: ['spectral:oas'],
  rules: { 'info-contact': 'off', 'oas3-valid-media-example': 'off' },
};

async function flawsOf(document) {
  const redocly = JSON.parse(
    await tool('redocly', ['lint', '--extends=recommended', '--format=json', document]),
  );
  const rules = join(folder, 'rules.json');
  await writeFile(rules, JSON.stringify(RULES));
  const spectral = JSON.parse(
    await tool('spectral', ['lint', document, '-r', rules, '-f', 'json', '-q']),
  );
  return [
    ...redocly.problems.map(({ ruleId, message }) => `redocly ${ruleId}: ${message}`),
    ...spectral.map(
      ({ code, message, path }) => `spectral ${code}: ${message} (${path.join('.')})`,
    ),
  ];
}

const data = { ...env, DATA_DIR: join(folder, 'data'), NETWORK: 'local' };
const server = spawn(process.execPath, [join(root, 'server/src/main.ts')], {
  env: { ...data, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});

async function addressOf(child) {
  for await (const line of createInterface(child.stdout)) {
    const address = /Address\s+(http:\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('The server did not start');
}

async function tokenOf(rights) {
  const command = ['server/src/admin-cli/admin-cli.ts', 'token', 'create', 'client'];
  const args = [...command, '--owner', 'admin', '--rights', rights];
  const { stdout } = await execute(process.execPath, args, { cwd: root, env: data });
  return stdout.trim().split(' ').at(-1);
}

try {
  const address = await addressOf(server);
  server.stdout.resume();
  const description = await (await fetch(new URL('/api/openapi.json', address))).json();
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(description));
  const flaws = await flawsOf(document);
  for (const flaw of flaws) process.stdout.write(`${flaw}\n`);

  // The judges have to find what is wrong: a required parameter that is none of the path's, and a bad example.
  description.paths['/api/admin/posts/{id}'].get.parameters = [];
  await writeFile(document, JSON.stringify(description));
  const planted = await flawsOf(document);

  await writeFile(
    document,
    JSON.stringify(await (await fetch(new URL('/api/openapi.json', address))).json()),
  );
  await tool('openapi-typescript', [document, '-o', join(here, 'schema.d.ts')]);
  const compiled = await tool('tsc', ['--project', here]);
  process.stdout.write(compiled);
  const token = await tokenOf('posts:read,users:read,members');
  const client = await execute(process.execPath, [join(here, 'client.ts'), address, token], {
    env,
  });
  process.stdout.write(client.stdout);

  const isGood = flaws.length === 0 && planted.length > 0 && compiled === '';
  process.stdout.write(
    `${flaws.length} flaws; the planted one is ${planted.length > 0 ? '' : 'not '}found\n`,
  );
  process.exitCode = isGood ? 0 : 1;
} finally {
  server.kill();
  await new Promise((resolve) => server.once('close', resolve));
  await rm(folder, { recursive: true, force: true });
}
