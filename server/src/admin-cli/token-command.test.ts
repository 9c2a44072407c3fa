import { authMe } from '@meridian/contract/auth';
import { auditList } from '@meridian/contract/audit';
import { userList } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import type { SignedIn } from '../../test/app.ts';
import { ArgumentError } from '../cli/cli.ts';
import { StartError } from '../start-error.ts';
import { readTokenArguments, runTokenCommand } from './token-command.ts';

const OF_MIRA = ['--owner', 'mira', '--rights', 'users:read'];
const tokenIn = (said: string) => /mer_[\w-]{43}$/.exec(said)?.[0] ?? '';

describe('a wrong command line is refused in one sentence', () => {
  test.each([
    [[], 'Say what to do: token create NAME, token list, token rotate ID or token revoke ID.'],
    [['rotate'], /^Say what to do: /],
    [['delete', 'x'], 'Say what to do: token create, token list, token rotate or token revoke.'],
    [['create', 'x', '--rights', 'members'], 'create needs --owner.'],
    [['create', 'x', '--owner', 'mira'], /^create needs --rights\. They are users:read, /],
    [['create', 'x', ...OF_MIRA, '--days', '367'], /^--days must be a whole number from 1 to 366/],
    [['rotate', 'x', '--grace', '10081'], /^--grace must be a whole number from 0 to 10080/],
  ])('%j', (args, sentence) => {
    expect(() => readTokenArguments(args)).toThrow(ArgumentError);
    expect(() => readTokenArguments(args)).toThrow(sentence);
  });

  test('--help names the bounds', () => {
    const help = /^[^]*--days N .+ 366 at most\n/;
    expect(() => readTokenArguments(['--help'])).toThrow(help);
  });
});

describe.each(EITHER)('managing API tokens, on the %s engine', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await api.signIn('mira');
  });

  async function run(...args: string[]): Promise<string> {
    const found = readTokenArguments(args);
    const lines: string[] = [];
    await runTokenCommand(found, api.db, (line) => lines.push(line));
    return lines.join('\n');
  }
  const idOf = async (name: string) =>
    new RegExp(`^(\\S+) {2}${name} `, 'm').exec(await run('list'))?.[1] ?? '';
  const statuses = (tokens: string[]) =>
    Promise.all(tokens.map(async (token) => (await api.call(userList, { token })).status));

  test('one is made for as long as it may live, replaced with and without grace, and revoked', async () => {
    const first = tokenIn(await run('create', 'nightly', ...OF_MIRA, '--days', '366'));
    const id = await idOf('nightly');
    const second = tokenIn(await run('rotate', id));
    expect(await statuses([first, second])).toEqual([200, 200]);
    const third = tokenIn(await run('rotate', id, '--grace', '0'));
    expect(await statuses([first, second, third])).toEqual([401, 401, 200]);
    const me = await api.call(authMe, { token: third });
    expect(me.answer.username).toBe('mira (token nightly)');
    expect(await run('revoke', id)).toBe('The API token nightly is revoked.');
    expect(await statuses([third])).toEqual([401]);

    const query = { entityId: id };
    const { entries } = (await api.call(auditList, { token: admin.token, query })).answer;
    expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'host apiTokenRevoke',
      'host apiTokenRotate',
      'host apiTokenRotate',
      'host apiTokenCreate',
    ]);
  });

  test.each([
    [['rotate', '01900000-0000-7000-8000-000000000000'], 'API token not found.'],
    [['revoke', 'nightly'], 'API token not found.'],
    [
      ['create', 'a', '--owner', 'bo', '--rights', 'members'],
      'There is no administrator named bo.',
    ],
    [
      ['create', 'a', ...OF_MIRA, '--origin', 'http://app.example'],
      'http://app.example needs https; http is for localhost alone.',
    ],
    [['create', 'a'.repeat(81), ...OF_MIRA], 'Name must be at most 80 characters.'],
  ])('refuses %j', async (args, sentence) => {
    const refused = run(...args);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(sentence);
  });

  test('takes http on this machine', async () => {
    const local = ['--origin', 'http://localhost:4100', '--origin', 'http://[::1]:4100'];
    expect(tokenIn(await run('create', 'local', ...OF_MIRA, ...local))).not.toBe('');
  });
});
