import { authLogin } from '@meridian/contract/auth';
import { createRandom } from '@meridian/demo/random';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { sql } from '../../server/src/db/sql.ts';
import { insertAdmin } from '../../server/src/features/administrators/administrators.store.ts';
import { hashPassword } from '../../server/src/features/passwords/passwords.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { judge } from '../../server/test/figures.ts';
import { UNLIMITED } from '../../server/test/hash-counter.ts';
import { openPatient } from '../../server/test/patient.ts';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';
import { median, separability } from './separability.ts';

/** Only in `npm run test:hard`; `npm test` proves that each sign-in takes one hash. */
const TRIPLES = Number(process.env['TIMING_TRIPLES'] ?? 0);
const SEED = process.env['TIMING_SEED'] ?? '20261115';
/** A hash takes a hundred times as long as the rest. */
const CLEARLY_OTHER = 2;
/** Each takes three hashes. */
const LIMIT_MS = 60_000 + TRIPLES * 3_000;

const KINDS = ['known', 'unknown', 'disabled'] as const;
const NAMES = 10;

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

describe.skipIf(TRIPLES === 0)('A3: the time of a refused login', () => {
  const closers = createClosers();
  let server: ServerProcess;
  beforeAll(async () => {
    const database = await createTestDatabase('server');
    closers.add(() => database.drop());
    const dataDir = await makeDataDir(closers);
    const { connectionString } = database;
    server = await ServerProcess.start({
      ...UNLIMITED,
      DATABASE_URL: connectionString,
      DATA_DIR: dataDir,
      DEMO_DATA: 'off',
    });
    closers.add(async () => void (await server.stop()));
    const db = openPatient({ connectionString }, 1);
    const passwordHash = await hashPassword('correct horse battery');
    for (let number = 0; number < NAMES; number += 1) {
      for (const kind of ['known', 'disabled']) {
        await insertAdmin(db, { id: uuidV7(), username: `${kind}-${number}`, passwordHash });
      }
    }
    await db.execute(
      sql`update admins set disabled_at = now() where starts_with(username, 'disabled')`,
    );
    await db.close();
  });
  afterAll(() => closers.closeAll());

  async function msOfLogin(username: string, expected = 401): Promise<number> {
    const startedAt = performance.now();
    const response = await server.send(authLogin, {
      body: { username, password: 'a wrong password' },
    });
    await response.arrayBuffer();
    const ms = performance.now() - startedAt;
    expect(response.status).toBe(expected);
    return ms;
  }

  test('would tell without a hash: a sign-in refused before it takes less time', async () => {
    const times = { hashed: [] as number[], spared: [] as number[] };
    for (let pair = 0; pair < 4; pair += 1) {
      times.hashed.push(await msOfLogin('known-0'));
      times.spared.push(await msOfLogin('', 400));
    }
    expect(times.hashed).toHaveLength(4);
    const ratio = median(times.hashed) / median(times.spared);
    judge({
      goal: `A3: a login without a hash is told apart: the others take ${CLEARLY_OTHER} times as long`,
      measured: `${ratio.toFixed(1)} times`,
      isMet: ratio > CLEARLY_OTHER,
    });
  });

  test('does not tell whether there is such an account', { timeout: LIMIT_MS }, async () => {
    const random = createRandom(SEED);
    const times = { known: [] as number[], unknown: [] as number[], disabled: [] as number[] };
    for (const kind of KINDS) await msOfLogin(`${kind}-0`);
    for (let triple = 0; triple < TRIPLES; triple += 1) {
      // In random order, so that no kind always follows the same one.
      for (const kind of random.shuffled(KINDS)) {
        times[kind].push(await msOfLogin(`${kind}-${triple % NAMES}`));
      }
    }
    expect(times.known).toHaveLength(TRIPLES);
    for (const kind of ['unknown', 'disabled'] as const) {
      const ratio = median(times[kind]) / median(times.known);
      const accuracy = separability(times.known, times[kind]);
      judge({
        goal: `A3: known or ${kind}, ${TRIPLES} triples: told apart <= 55%, medians within 3%`,
        measured: `${percent(accuracy)}, medians ${percent(Math.abs(ratio - 1))} apart`,
        isMet: accuracy <= 0.55 && Math.abs(ratio - 1) <= 0.03,
      });
    }
  });
});
