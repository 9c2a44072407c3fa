import { authMe } from '@meridian/contract/auth';
import { planPublish } from '@meridian/contract/plans';
import { postGet } from '@meridian/contract/posts';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { afterEach, describe, expect, test } from 'vitest';
import { createClosers } from '../src/background-task.ts';
import { ENGINES } from './app.ts';
import { createEmptyDatabase } from './empty-database.ts';
import { insertPost, insertUser } from './fixtures.ts';
import { openPatient } from './patient.ts';
import { makeDataDir, ServerProcess } from './process.ts';

const closers = createClosers();
afterEach(() => closers.closeAll());

describe.each(ENGINES)('on an empty database, %s', (engine) => {
  test('it starts, signs in, publishes plans and a post, and stops', async () => {
    const dataDir = await makeDataDir(closers);
    const env = { DATA_DIR: dataDir, DEMO_DATA: 'off', NETWORK: 'local' };
    const database = engine === 'server' ? await createEmptyDatabase('server') : null;
    closers.add(async () => database?.drop());
    const meridian = await ServerProcess.start(
      database === null ? env : { ...env, DATABASE_URL: database.url },
    );
    closers.add(async () => void (await meridian.stop()));
    expect(await meridian.call(authMe)).toMatchObject({ username: 'admin' });

    expect((await meridian.call(planPublish)).publishedCount).toBeGreaterThanOrEqual(0);
    const index = await fetch(new URL('/cdn/plans/index.json', meridian.url));
    expect(await index.json()).toMatchObject({ revision: expect.anything() });

    const connection =
      database === null
        ? (await startEmbeddedDatabase({ dataDir, purpose: 'tool' })).connection
        : { connectionString: database.url };
    const db = openPatient(connection, 1);
    closers.add(() => db.close());
    const scheduled_at = new Date().toISOString();
    const id = await insertPost(db, await insertUser(db), { scheduled_at });
    const status = async () => (await meridian.call(postGet, { params: { id } })).post.status;
    await expect.poll(status).toBe('COMPLETED');

    expect(await meridian.stop()).toBe(0);
    expect(meridian.output).not.toMatch(/"level":"(error|fatal)"/);
  });
});
