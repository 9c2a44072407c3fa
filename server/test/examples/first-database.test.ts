import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SUPERUSER } from '@meridian/embedded-postgres/cluster';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { ServerProcess } from '../process.ts';
import { examplesFor, linesOf } from './read-examples.ts';

test('the role and the database of the guide serve a start', async () => {
  const [made, started] = examplesFor('the role and the database of the guide serve a start');
  if (made === undefined || started === undefined) throw new Error('The guide has no such steps');
  const folder = await mkdtemp(join(tmpdir(), 'meridian-first-'));
  const name = `first_${randomBytes(4).toString('hex')}`;
  // The one cluster whose superuser lets everybody in.
  const address = new URL(inject('clusters').embedded);
  address.username = SUPERUSER;
  const cluster = address.href;
  const admin = new Client({ connectionString: cluster });
  await admin.connect();
  try {
    // The names of the guide may be taken in a cluster that other tests share.
    for (const statement of made.text
      .replaceAll(/\bmeridian\b/g, name)
      .trim()
      .split('\n')) {
      await admin.query(statement);
    }
    const file = join(folder, 'address');
    Object.assign(address, { username: name, password: 'choose-a-long-one', pathname: `/${name}` });
    const [install = '', start = ''] = linesOf(started);
    await promisify(execFile)('sh', ['-c', install.replace('/etc/meridian-database', file)]);
    await writeFile(file, address.href);
    expect(start).toBe('DATABASE_URL_FILE=/etc/meridian-database npm start');
    const server = await ServerProcess.start({ DATABASE_URL_FILE: file, DATA_DIR: folder });
    expect((await fetch(new URL('/readyz', server.url))).status).toBe(200);
    expect(await server.stop()).toBe(0);
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`drop role if exists ${name}`);
    await admin.end();
    await rm(folder, { recursive: true });
  }
});
