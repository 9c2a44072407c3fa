import { setTimeout as delay } from 'node:timers/promises';
import { EXPORT_FORMATS, postExport } from '@meridian/contract/exports';
import type { Closers } from '../server/src/background-task.ts';
import { databaseOn } from '../server/src/db/database.ts';
import type { Db } from '../server/src/db/database.ts';
import { sql } from '../server/src/db/sql.ts';
import { uuidV7 } from '../server/src/db/columns.ts';
import * as administrators from '../server/src/features/administrators/administrators.store.ts';
import { hashToken, newToken } from '../server/src/features/sessions/sessions.service.ts';
import { insertSession } from '../server/src/features/sessions/sessions.store.ts';
import { openEvents } from '../server/test/event-reader.ts';
import { connect } from './databases.ts';
import type { Bench } from './databases.ts';
import { countText, ratio } from './marks.ts';
import type { Reading } from './marks.ts';
import { memoryOf, readBeside } from './measure.ts';
import { postsPath } from './reads.ts';
import { startMeridian } from './servers.ts';

const ADMINS = 20;
const STREAMS_PER_ADMIN = 10;
/** Together ten thousand changes a minute. */
const CHANGES = 40;
const EVERY_MS = 240;

/** Holds event streams open while posts change, and reads the posts list beside them. */
export async function streams({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const database = await filled(sizes.some);
  const { url, pid, get } = await startMeridian(database, closers);
  const db = databaseOn((await connect(database, closers)).client);
  const list = get(postsPath());
  const quiet = await readBeside(list, delay(sizes.seconds * 1000));
  const before = await memoryOf(pid);
  const tokens: string[] = [];
  for (let admin = 0; admin < ADMINS; admin += 1) tokens.push(await signedIn(db, `admin-${admin}`));
  const each = Array.from({ length: STREAMS_PER_ADMIN }, () => tokens).flat();
  const open = await Promise.all(each.map((token) => openEvents(url, token)));
  closers.add(async () => open.forEach((stream) => stream.close()));
  const busy = await readBeside(list, changePosts(db, sizes.seconds));
  const more = (await memoryOf(pid)) - before;
  const told = Math.min(...open.map(({ events }) => events.length));
  if (told === 0) throw new Error('A stream was told nothing');
  const name = `${open.length} streams`;
  return [
    { mark: 'streamMemory', name, measured: more, basis: `${told} events to each` },
    ratio('streamList', name, busy, quiet, 'p99'),
  ];
}

async function signedIn(db: Db, username: string): Promise<string> {
  await administrators.insertAdmin(db, { id: uuidV7(), username, passwordHash: '$none' });
  const admin = await administrators.findAdmin(db, username);
  if (admin === null) throw new Error('The administrator just made is not there');
  const token = newToken();
  await insertSession(db, { tokenHash: hashToken(token), admin, maxSeconds: 3600 });
  return token;
}

/** Statuses go to and fro, because a finished post stays finished. */
async function changePosts(db: Db, seconds: number): Promise<void> {
  const startedAt = performance.now();
  for (let atMs = 0; atMs < seconds * 1000; atMs += EVERY_MS) {
    await delay(Math.max(0, startedAt + atMs - performance.now()));
    await db.execute(sql`
      update posts set status = case status when 'PENDING' then 'CANCELLED' else 'PENDING' end
      where id in (select id from posts where status in ('PENDING', 'CANCELLED')
                   order by id limit ${CHANGES})`);
  }
}

/** A first export of one day loads the code and opens the connections. */
const ONE_DAY = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

/** The most memory that the server holds while it writes all posts, against that before. */
export async function exports({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const { url, token, pid } = await startMeridian(await filled(sizes.some), closers);
  const mostWhile = async (query: Record<string, string>) => {
    const address = `${url}${postExport.path}?${new URLSearchParams(query).toString()}`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`The export was refused: ${response.status}`);
    let most = 0;
    // A piece is dropped before the next one is read, as by a browser that writes to disk.
    for await (const _ of response.body ?? []) most = Math.max(most, await memoryOf(pid));
    return most;
  };
  const readings: Reading[] = [];
  for (const format of EXPORT_FORMATS) {
    await mostWhile({ format, ...ONE_DAY });
    const before = await memoryOf(pid);
    const name = `${countText(sizes.some)} posts as ${format}`;
    const measured = (await mostWhile({ format })) - before;
    readings.push({ mark: 'exportMemory', name, measured });
  }
  return readings;
}
