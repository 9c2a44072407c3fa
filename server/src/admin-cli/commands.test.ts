import { authLogin, authMe } from '@meridian/contract/auth';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { sql } from '../db/sql.ts';
import { createAdministratorsService } from '../features/administrators/administrators.service.ts';
import { ensureFirstAdministrator } from '../features/administrators/first-administrator.ts';
import { StartError } from '../start-error.ts';
import { readArguments } from './admin-cli.ts';
import { runCommand, sayAdmins } from './commands.ts';

const PASSWORD = 'quiet river stones';

describe.each(EITHER)('managing administrators, on the %s engine', (engine) => {
  const api = setUpApp(engine);

  /** Returns the words of the command; the password is typed. */
  async function admin(args: string[], password = PASSWORD, passwordMinLength = 8) {
    const { db, initialPassword } = api.context;
    const found = readArguments(args);
    const lines: string[] = [];
    if (found.command === 'list') {
      await sayAdmins(db, (line) => lines.push(line));
      return lines.join('\n');
    }
    await runCommand(
      found,
      createAdministratorsService({ db, passwordMinLength, initialPassword }),
      {
        say: (line) => lines.push(line),
        readPassword: async () => password,
      },
    );
    return lines.join('\n');
  }
  const login = (username: string, password: string) =>
    api.call(authLogin, { body: { username, password } });

  // However slow this machine is, no wait is over yet.
  const prolongWaits = () =>
    api.db.execute(sql`
      update attempt_buckets set blocked_until = now() + interval '10 minutes'
      where blocked_until is not null`);

  test('lists no administrators in an empty database', async () => {
    expect(await admin(['list'])).toBe('There are no administrators.');
  });

  test('creates one', async () => {
    const said = await admin(['create', 'Ana', '--display-name', 'Ana Lima']);
    expect(said).toBe('Made the administrator ana.');
    const { answer } = await login('ana', PASSWORD);
    expect(answer.admin).toEqual({ username: 'ana', displayName: 'Ana Lima' });
  });

  test.each([
    [['create', 'bo'], 'changeme', /^This password is too easy to guess\. .+\.$/],
    [['reset-password', 'ana'], 'AnaLima-2026', /^This password is too easy to guess\. .+\.$/],
    [['create', 'bo'], 'seven77', 'New password must be at least 8 characters.'],
    [['create', 'ANA'], PASSWORD, /^There is already an administrator named ana; /],
    [['reset-password', 'bo'], PASSWORD, 'There is no administrator named bo.'],
    [['unlock', 'bo'], PASSWORD, 'There is no administrator named bo.'],
  ])('refuses %j with %j', async (args, password, sentence) => {
    const refused = admin(args, password);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(sentence);
    expect(await admin(['list'])).not.toContain('bo');
    expect((await login('ana', PASSWORD)).status).toBe(200);
  });

  test('respects PASSWORD_MIN_LENGTH', async () => {
    await expect(admin(['reset-password', 'ana'], 'green river stones', 20)).rejects.toThrow(
      'New password must be at least 20 characters.',
    );
  });

  test('shows a generated password once, and ends every session with a reset', async () => {
    const { token } = (await login('ana', PASSWORD)).answer;
    const said = await admin(['reset-password', 'ana', '--generate']);
    const [, password = ''] = /^Password, shown only this once: (\S{24})$/m.exec(said) ?? [];
    expect((await api.call(authMe, { token })).error.code).toBe('session_ended');
    expect((await login('ana', password)).status).toBe(200);
    expect(await admin(['reset-password', 'ana'])).toBe(
      'ana has a new password, and every session has ended.',
    );
  });

  test('disables, lists and enables', async () => {
    const { token } = (await login('ana', PASSWORD)).answer;
    expect(await admin(['disable', 'ana'])).toBe(
      'ana is disabled, and every session has ended.\nNo administrator can sign in now.',
    );
    expect((await api.call(authMe, { token })).error.code).toBe('session_ended');
    const [head, row, ...rest] = (await admin(['list'])).split('\n');
    expect(head).toMatch(/^User name +Display name +State +Last sign-in$/);
    expect(row).toMatch(/^ana +Ana Lima +disabled +\d{4}-\d\d-\d\dT\S+Z$/);
    expect(rest).toEqual([]);
    expect(await admin(['unlock', 'ana'])).toMatch(/ The account is still disabled\.$/);
    expect(await admin(['enable', 'ana'])).toBe('ana may sign in.');
    expect((await login('ana', PASSWORD)).status).toBe(200);
  });

  test('unlocks, so that the next sign-in is verified again', async () => {
    for (let n = 0; n < 5; n += 1) await login('ana', 'a wrong one');
    await prolongWaits();
    // A name that signed in from here before has a reserve of one.
    expect((await login('ana', 'a wrong one')).status).toBe(401);
    await prolongWaits();
    expect((await login('ana', PASSWORD)).status).toBe(429);
    expect(await admin(['unlock', 'ana'])).toBe('The failed sign-ins of ana are forgotten.');
    expect((await login('ana', PASSWORD)).status).toBe(200);
  });

  test('resets the first password, whose file is deleted then, and only then', async () => {
    await api.db.execute(sql`delete from admins`);
    const { db, initialPassword: file } = api.context;
    await ensureFirstAdministrator({
      db,
      file,
      username: 'first',
      password: null,
      passwordMinLength: 8,
    });
    await admin(['create', 'second']);
    await admin(['reset-password', 'second']);
    expect(await file.read()).not.toBeNull();
    await admin(['reset-password', 'first']);
    expect(await file.read()).toBeNull();
  });
});
