import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { currencyCreate } from '@meridian/contract/currencies';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import { isLawName, readByLaw } from '@meridian/contract/law';
import { planCreate } from '@meridian/contract/plans';
import { PLAN_BODY } from '@meridian/contract/samples';
import { ticketIssue } from '@meridian/contract/tickets';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import { EXAMPLE_LOGIN, startExampleServer } from './testing/example-server.ts';

const GUIDE = await readFile(new URL('../../../docs/integration.md', import.meta.url), 'utf8');
const callOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test('the guide lists every call that a service behind the console serves', () => {
  const rows = [...GUIDE.matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) (\/\S+)` \|/gm)];
  expect(rows.map(([, method, path]) => `${method} /api/admin${path}`)).toEqual(
    SPECIFIED_CALLS.map(callOf),
  );
});

test('the ranges in the guide are those of the contract', () => {
  const ticket = { planId: crypto.randomUUID(), validDays: 30, maxRedemptions: 1 };
  const currency = { code: 'qqq', name: 'One', symbol: 'x' };
  const isTaken: Record<string, (fields: object) => boolean> = {
    ticket: (fields) => z.safeParse(ticketIssue.body, { ...ticket, ...fields }).success,
    '`limitsOverride`': (limitsOverride) =>
      z.safeParse(ticketIssue.body, { ...ticket, limitsOverride }).success,
    '`limits`': (limits) => z.safeParse(planCreate.body, { ...PLAN_BODY, limits }).success,
    currency: (fields) => z.safeParse(currencyCreate.body, { ...currency, ...fields }).success,
  };
  const ranges = [...GUIDE.matchAll(/^\| ([\w`]+) \| (.*) \|$/gm)].flatMap(
    ([, body = '', rules = '']) =>
      [...rules.matchAll(/`(\w+)` (-?\d+) to (\d+)/g)].map(([, field = '', low, high]) => {
        const takes = (value: number) => isTaken[body]?.({ [field]: value });
        const [least, most] = [Number(low), Number(high)];
        return [field, takes(least - 1), takes(least), takes(most), takes(most + 1)];
      }),
  );
  expect(ranges).toHaveLength(11);
  for (const [field, ...taken] of ranges) {
    expect([field, ...taken]).toEqual([field, false, true, true, false]);
  }
});

test('the responses in the guide are complete', () => {
  const blocks = [...GUIDE.matchAll(/^```json (\S+ \S+)\n([\s\S]*?)^```/gm)];
  expect(blocks.length).toBeGreaterThan(6);
  for (const [, call, json = ''] of blocks) {
    const endpoint = SPECIFIED_CALLS.find((one) => callOf(one) === call);
    const name = endpoint?.name ?? '';
    if (!isLawName(name)) throw new Error(`There is no call ${call}`);
    const { problems, leftOut } = readByLaw(name, JSON.parse(json));
    expect([call, problems, leftOut]).toEqual([call, [], []]);
  }
});

test('the commands of the guide check the example', async () => {
  const { username, password } = EXAMPLE_LOGIN;
  expect(GUIDE).toContain(
    `ADMIN_PASSWORD='${password}' PORT=4000 node examples/upstream-server.mjs`,
  );
  const [, commands = ''] = /^### Check it\n\n<!--.*-->\n```sh\n([\s\S]*?)^```/m.exec(GUIDE) ?? [];
  expect(commands).toContain(`'${username}\\n${password}\\n'`);
  const program = path.join(import.meta.dirname, 'check-upstream-cli.ts');
  const example = await startExampleServer();
  onTestFinished(() => example.close());
  const cwd = await mkdtemp(path.join(tmpdir(), 'meridian-guide-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const script = commands
    .replace('npm run check-upstream --', `${process.execPath} ${program}`)
    .replace('http://127.0.0.1:4000', example.url);
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd });
  expect(stdout).toContain('16 of 16 calls fit.');
});
