import { authLogin } from '@meridian/contract/auth';
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';
import { runProgram } from '../../server/test/run-program.ts';

const PROGRAM = new URL('../../server/src/admin-cli/admin-cli.ts', import.meta.url);

describe('npm run admin', () => {
  test('has --help, and exits with code 2 on a wrong command line', async () => {
    const help = await runProgram(PROGRAM, ['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('npm run admin -- reset-password NAME');
    expect(await runProgram(PROGRAM, ['delete', 'ana'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Say what to do: create, reset-password, unlock, disable, enable or list.\nSee npm run admin -- --help\n',
    });
  });

  test('reports an unreachable database without its password', async () => {
    const env = { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' };
    const { code, stderr } = await runProgram(PROGRAM, ['list'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot reach the database at 127\.0\.0\.1:1 [^\n]*\n$/);
    expect(stderr).not.toContain('secret');
  });

  test('works on the embedded database before the first start, and while the server runs', async () => {
    const dataDir = await makeDataDir();
    const admin = (args: string[], input = '') =>
      runProgram(PROGRAM, args, { DATA_DIR: dataDir }, input);
    expect(await admin(['create', 'ana'], 'quiet river stones\n')).toMatchObject({
      code: 0,
      stdout: 'Made the administrator ana.\n',
    });

    const server = await ServerProcess.start({
      DATA_DIR: dataDir,
      DEMO_DATA: 'off',
      // Waits that do not end by themselves.
      LOGIN_FAILURES: '1000',
      LOGIN_FAILURES_IN_A_ROW: '5',
    });
    try {
      const login = async (password: string) => {
        const response = await fetch(new URL(authLogin.path, server.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'ana', password }),
        });
        return response.status;
      };
      for (let n = 0; n < 5; n += 1) await login('a wrong one');
      expect(await login('quiet river stones')).toBe(429);
      expect((await admin(['unlock', 'ana'])).code).toBe(0);
      expect(await login('quiet river stones')).toBe(200);

      const refused = await admin(['reset-password', 'ana'], 'Password123\n');
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(/^This password is too easy to guess\. [^\n]+\.\n$/);
      const reset = await admin(['reset-password', 'ana'], 'green river stones');
      expect([reset.code, reset.stderr]).toEqual([0, '']);
      expect(await login('quiet river stones')).toBe(401);
      expect(await login('green river stones')).toBe(200);
    } finally {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
