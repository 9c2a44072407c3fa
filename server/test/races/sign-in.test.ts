import { authLogout, authMe, authPassword } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { uuidV7 } from '../../src/db/uuid-v7.ts';
import { reserveAttempt } from '../../src/features/auth/attempt-buckets.store.ts';
import { createAuthService } from '../../src/features/auth/auth.service.ts';
import {
  findAdminByUsername,
  hasAdmins,
  insertAdmin,
  insertSession,
  revokeOldestSessions,
} from '../../src/features/auth/auth.store.ts';
import { ensureFirstAdmin } from '../../src/features/auth/first-admin.ts';
import type { HashGate } from '../../src/features/auth/hash-gate.ts';
import { initialPasswordFile } from '../../src/features/auth/initial-password-file.ts';
import { createLoginThrottle } from '../../src/features/auth/login-throttle.ts';
import { hashToken, newToken } from '../../src/features/auth/session-token.ts';
import { createTestDatabase } from '../cluster/test-database.ts';
import type { TestDatabase } from '../cluster/test-database.ts';
import { CROWD, flawsOf, PLAYED, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide, lockTable, times } from './collide.ts';

describe(`signing in and out, ${PLAYED}`, () => {
  let arena: Arena;
  beforeAll(async () => {
    arena = await startArena();
  });
  afterAll(() => arena.api.close());

  /** An administrator with as many sessions. */
  const signedIn = async (sessions: number) => {
    const admin = await arena.api.signIn();
    const row = await findAdminByUsername(arena.db, admin.username);
    if (row === null) throw new Error('The administrator just made is not there');
    const tokens = [admin.token];
    while (tokens.length < sessions) {
      const token = newToken();
      await insertSession(arena.db, {
        tokenHash: hashToken(token),
        admin: row,
        maxSeconds: 3600,
      });
      tokens.push(token);
    }
    return { ...admin, row, tokens, lock: sql`select from admins where id = ${row.id} for update` };
  };

  describe('C20: a password is changed once from the one that was given', () => {
    /** Changes made, and sessions that are left. */
    const flaw = async (adminId: string, right: string) => {
      const { line } = await arena.db.one<{ line: string }>(sql`
        select concat_ws(' ', session_epoch, (
          select count(*) from admin_sessions s
          where s.admin_id = a.id and revoked_at is null and s.epoch = a.session_epoch)) as line
        from admins a where id = ${adminId}`);
      return line === right ? null : line;
    };

    test('the naive version changes it twice', async () => {
      const naive: Round = async (random) => {
        const { adminId, lock } = await signedIn(1);
        const change = async (hash: string) => {
          const seen = await arena.db.one<{ session_epoch: number }>(sql`
            select session_epoch from admins where id = ${adminId}`);
          if (seen.session_epoch !== 0) return;
          await arena.db.execute(sql`
            update admins set password_hash = ${hash}, session_epoch = session_epoch + 1
            where id = ${adminId}`);
        };
        const sides = times(2, (index) => change(`$naive${index}`));
        await collide(arena.db, lock, random, sides);
        return flaw(adminId, '1 0');
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('two at once: one change, and one session is left', async () => {
      const round: Round = async (random) => {
        const { adminId, tokens, password, lock } = await signedIn(2);
        const sides = tokens.map((token, index) => () => {
          const newPassword = `another way to say it ${index}`;
          const body = { currentPassword: password, newPassword };
          return arena.api.call(authPassword, { token, body });
        });
        await collide(arena.db, lock, random, sides);
        return flaw(adminId, '1 1');
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });

  describe('C21: a session that was ended opens nothing any more', () => {
    type Ask = (token: string) => Promise<number>;
    const ask: Ask = async (token) => (await arena.api.call(authMe, { token })).status;

    /** Twenty clients go on asking while the session is ended in their midst. */
    const play = async (asks: Ask): Promise<string | null> => {
      const { token } = await arena.api.signIn();
      const progress = { isEnded: false, late: 0, asked: 0 };
      const client = async () => {
        for (let after = 0; after < 3;) {
          const isLate = progress.isEnded;
          const status = await asks(token);
          progress.asked += 1;
          if (isLate && status < 300) progress.late += 1;
          if (isLate) after += 1;
        }
      };
      const clients = Promise.all(Array.from({ length: 20 }, client));
      await expect.poll(() => progress.asked, { interval: 1 }).toBeGreaterThan(20);
      await arena.api.call(authLogout, { token });
      progress.isEnded = true;
      await clients;
      return progress.late === 0 ? null : `${progress.late} of ${progress.asked} let in late`;
    };

    test('the naive version remembers who was let in', async () => {
      const naive: Round = () => {
        const known = new Set<string>();
        return play(async (token) => {
          // As an answer would, it lets others have their turn.
          await new Promise(setImmediate);
          if (known.has(token)) return 200;
          const status = await ask(token);
          if (status < 300) known.add(token);
          return status;
        });
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('whoever asks after the answer is refused', async () => {
      expect(await flawsOf(() => play(ask))).toEqual([]);
    });
  });

  describe('an administrator has ten sessions at most', () => {
    const MOST = 10;
    const lock = sql`lock table admin_sessions in exclusive mode`;
    const live = async (adminId: string) => {
      const { n } = await arena.db.one<{ n: number }>(sql`
        select count(*) as n from admin_sessions
        where admin_id = ${adminId} and revoked_at is null`);
      return n;
    };
    const flaw = async (adminId: string) => {
      const n = await live(adminId);
      return n === MOST ? null : `${n} sessions`;
    };

    test('the naive version makes room before it adds one', async () => {
      const naive: Round = async (random) => {
        const { adminId, row } = await signedIn(MOST - 1);
        const open = async () => {
          if ((await live(adminId)) >= MOST) {
            await revokeOldestSessions(arena.db, adminId, MOST - 1);
          }
          const tokenHash = hashToken(newToken());
          await insertSession(arena.db, { tokenHash, admin: row, maxSeconds: 3600 });
        };
        await collide(arena.db, lock, random, times(2, open));
        return flaw(adminId);
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('twelve sign-ins at once: ten', async () => {
      // Spares the hashes: here every password is right, and any number may be tried.
      const gate: HashGate = { run: () => Promise.resolve(true as never) };
      const limits = {
        failures: 1_000,
        attemptsPerNetwork: 1_000_000,
        failuresPerName: 1_000,
        failuresInARow: 1_000,
        passwordChanges: 1_000,
      };
      const { session } = arena.api.context.config;
      // Each in a process of its own: in one, most would wait their turn before they come to the lock.
      const login = (credentials: { username: string; password: string }) => {
        const { db } = arena;
        const throttle = createLoginThrottle(db, limits);
        const onPasswordReplaced = async () => {};
        const auth = createAuthService({ db, gate, throttle, session, onPasswordReplaced });
        return auth.login(credentials, { address: '198.51.100.1', requestId: uuidV7() });
      };
      const round: Round = async (random) => {
        const { adminId, username, password } = await signedIn(MOST - 1);
        const sides = times(12, () => login({ username, password }));
        await collide(arena.db, lock, random, sides);
        return flaw(adminId);
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });

  describe('C23: a budget of attempts is kept to the last one', () => {
    const LIMIT = 5;

    test('the naive version lets everybody through', async () => {
      await arena.db.execute(sql`create table naive_buckets (key uuid, attempts int)`);
      const naive: Round = async (random) => {
        const key = uuidV7();
        await arena.db.execute(sql`insert into naive_buckets values (${key}, 0)`);
        let allowed = 0;
        const attempt = async () => {
          const seen = await arena.db.one<{ attempts: number }>(sql`
            select attempts from naive_buckets where key = ${key}`);
          if (seen.attempts >= LIMIT) return;
          await arena.db.execute(sql`
            update naive_buckets set attempts = attempts + 1 where key = ${key}`);
          allowed += 1;
        };
        const lock = sql`select from naive_buckets where key = ${key} for update`;
        const sides = times(CROWD, attempt);
        await collide(arena.db, lock, random, sides);
        return allowed === LIMIT ? null : `${allowed} allowed`;
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test(`${CROWD} at once: exactly five`, async () => {
      const round: Round = async (random) => {
        const bucket = {
          who: uuidV7(),
          what: 'a race',
          limit: LIMIT,
          windowSeconds: 900,
          pause: 'window',
        } as const;
        let allowed = 0;
        const sides = times(CROWD, async () => {
          if ((await reserveAttempt(arena.db, bucket)).count !== null) allowed += 1;
        });
        const lock = sql`lock table attempt_buckets in exclusive mode`;
        await collide(arena.db, lock, random, sides);
        return allowed === LIMIT ? null : `${allowed} allowed`;
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });
});

describe(`C22: the first administrator of an empty database, ${PLAYED}`, () => {
  let home: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    home = await createTestDatabase('server');
    const connection = { connectionString: home.connectionString };
    db = openDatabase(connection, { maxConnections: 40, onError: () => {} });
  });
  afterAll(async () => {
    await db.close();
    await home.drop();
  });

  /** Several processes that start at once, each with another idea of the name. */
  const play = async (
    random: Parameters<Round>[0],
    make: (username: string) => Promise<unknown>,
  ) => {
    await db.execute(sql`delete from admins`);
    const sides = times(8, (index) => make(`first-${index}`));
    await collide(db, lockTable.admins, random, sides);
    const { n } = await db.one<{ n: number }>(sql`select count(*) as n from admins`);
    return n === 1 ? null : `${n} administrators`;
  };

  test('the naive version makes several', async () => {
    const naive: Round = (random) =>
      play(random, async (username) => {
        if (await hasAdmins(db)) return;
        await insertAdmin(db, { id: uuidV7(), username, passwordHash: '$naive' });
      });
    expect(await shareBroken(naive)).toBe(1);
  });

  test('eight at once: one', async () => {
    const round: Round = (random) =>
      play(random, (username) =>
        ensureFirstAdmin({
          db,
          username,
          password: 'correct horse battery',
          passwordMinLength: 8,
          file: initialPasswordFile('.'),
        }),
      );
    expect(await flawsOf(round)).toEqual([]);
  });
});
