import { authLogout, authMe, authPassword } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidV7 } from '../../server/src/db/columns.ts';
import type { Database } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import {
  findAdmin,
  hasAdmins,
  insertAdmin,
} from '../../server/src/features/administrators/administrators.store.ts';
import {
  ensureFirstAdministrator,
  initialPasswordFile,
} from '../../server/src/features/administrators/first-administrator.ts';
import type { HashGate } from '../../server/src/features/passwords/passwords.ts';
import {
  createSessionsService,
  hashToken,
  newToken,
} from '../../server/src/features/sessions/sessions.service.ts';
import {
  insertSession,
  revokeOldestSessions,
} from '../../server/src/features/sessions/sessions.store.ts';
import { reserveAttempt } from '../../server/src/features/sign-in-limits/attempts.store.ts';
import { createSignInLimits } from '../../server/src/features/sign-in-limits/sign-in-limits.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import type { TestDatabase } from '../../server/test/cluster/test-database.ts';
import { openPatient } from '../../server/test/patient.ts';
import { CROWD, PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide, lockTable, times } from './collide.ts';

describe(`signing in and out, ${PLAYED}`, () => {
  let arena: Arena;
  beforeAll(async () => {
    arena = await startArena();
  });
  afterAll(() => arena.api.close());

  /** An administrator with this many sessions. */
  const signedIn = async (sessions: number) => {
    const admin = await arena.api.signIn();
    const row = await findAdmin(arena.db, admin.username);
    if (row === null) throw new Error('The new administrator was not found');
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
    /** The number of changes, and of live sessions. */
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

  describe('C21: a revoked session is refused', () => {
    type Ask = (token: string) => Promise<number>;
    const ask: Ask = async (token) => (await arena.api.call(authMe, { token })).status;

    /** Twenty clients keep sending requests while the session is revoked. */
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
      return progress.late === 0 ? null : `${progress.late} of ${progress.asked} accepted late`;
    };

    test('the naive version caches sessions', async () => {
      const naive: Round = () => {
        const known = new Set<string>();
        return play(async (token) => {
          // Yields to the event loop, as a query would.
          await new Promise(setImmediate);
          if (known.has(token)) return 200;
          const status = await ask(token);
          if (status < 300) known.add(token);
          return status;
        });
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('every request after the response to the logout is refused', async () => {
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

    test('the naive version revokes before it inserts', async () => {
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
      // Saves the time of the hashes: every password is right, and any number may be tried.
      const hashGate: HashGate = { run: () => Promise.resolve(true as never) };
      const settings = {
        failures: 1_000,
        attemptsPerNetwork: 1_000_000,
        failuresPerName: 1_000,
        failuresInARow: 1_000,
        passwordChanges: 1_000,
      };
      const { session } = arena.api.context.config;
      // Each like in a process of its own: in one, most would queue before they reach the lock.
      const login = (credentials: { username: string; password: string }) => {
        const { db } = arena;
        const signInLimits = createSignInLimits(db, settings);
        const sessions = createSessionsService({ db, hashGate, limits: signInLimits, session });
        return sessions.signIn(credentials, { address: '198.51.100.1', requestId: uuidV7() });
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

  describe('C23: a rate limit is exact', () => {
    const LIMIT = 5;

    test('the naive version allows every attempt', async () => {
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
          subject: uuidV7(),
          purpose: 'a race',
          limit: LIMIT,
          windowSeconds: 900,
          backoff: 'rest-of-window',
        } as const;
        let allowed = 0;
        const sides = times(CROWD, async () => {
          if ((await reserveAttempt(arena.db, bucket)).counted !== null) allowed += 1;
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
    db = openPatient(connection, 40);
  });
  afterAll(async () => {
    await db.close();
    await home.drop();
  });

  /** Several processes that start at once, each with another ADMIN_USERNAME. */
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

  test('the naive version creates several', async () => {
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
        ensureFirstAdministrator({
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
