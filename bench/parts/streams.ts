import { setTimeout as delay } from 'node:timers/promises';
import { authLogout } from '@meridian/contract/auth';
import { openDatabase } from '../../server/src/db/database.ts';
import type { Database } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { uuidV7 } from '../../server/src/db/uuid-v7.ts';
import {
  findAdmin,
  insertAdmin,
} from '../../server/src/features/administrators/administrators.store.ts';
import { hashToken, newToken } from '../../server/src/features/sessions/session-token.ts';
import { insertSession } from '../../server/src/features/sessions/sessions.store.ts';
import { openEvents } from '../../server/test/event-reader.ts';
import type { EventReader } from '../../server/test/event-reader.ts';
import { readBeside } from '../measure/read-beside.ts';
import type { Row } from '../report/row.ts';
import { memoryOf } from '../stand/our-server.ts';
import type { Installation } from '../stand/stand.ts';
import { postsPath } from './calls.ts';
import { plain } from './engine/rows.ts';
import { time } from './response-times.ts';

const STREAMS = 200;
const STREAMS_PER_ADMIN = 16;
const CHANGES_PER_SECOND = 10_000 / 60;
const TICKS_PER_SECOND = 4;
/** How often a stream is cut and opened again. */
const CUTS = 10;

/** Open streams while ten thousand posts change in a minute: memory, and the posts list beside it. */
export async function streams(large: Installation, seconds: number): Promise<Row[]> {
  const { server, database, call } = large;
  const section = `${STREAMS} open streams, ${Math.round(CHANGES_PER_SECOND * 60).toLocaleString('en')} changes a minute`;
  const limits = { connectionString: database.address, statement_timeout: 60_000 };
  const db = openDatabase(limits, { maxConnections: 2, onError: () => {} });
  try {
    const list = call({ path: postsPath({}) });
    const quiet = await readBeside(list, delay(seconds * 1000));
    const before = await memoryOf(server.pid);
    if (before === null) return [];
    const tokens = await sessions(db);
    const readers = await Promise.all(tokens.map((token) => openEvents(server.url, token)));
    await Promise.all(readers.map((reader) => reader.next()));
    const busy = await readBeside(list, changePosts(db, seconds));
    const more = ((await memoryOf(server.pid)) ?? 0) - before;
    const received = readers.map(({ events }) => events.length);
    const missed = await cutAndResumed(db, server.url, tokens.at(-1) ?? '');
    const endMs = await loggedOut(server.url, tokens, readers);
    for (const reader of readers) reader.close();
    return [
      plain(section, 'more memory', more, 'MB', 'streamMemory'),
      {
        section,
        name: 'posts page 1 meanwhile',
        ours: time(busy),
        against: { name: 'quiet', ...time(quiet) },
        measured: busy.p99 / quiet.p99,
        mark: 'streamList',
      },
      plain(section, 'events to a stream, fewest', Math.min(...received), 'events'),
      plain(section, 'events to a stream, most', Math.max(...received), 'events'),
      plain(section, 'changes missed by streams that were cut', missed, 'events', 'streamGap'),
      plain(section, 'end after its logout, most', endMs / 1000, 's', 'streamEnd'),
    ];
  } finally {
    await db.close();
  }
}

/** One session for as many streams as an administrator may have. */
async function sessions(db: Database): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < STREAMS / STREAMS_PER_ADMIN; n += 1) {
    const username = `watcher-${n}`;
    await insertAdmin(db, { id: uuidV7(), username, passwordHash: '$none' });
    const admin = await findAdmin(db, username);
    if (admin === null) throw new Error('The administrator just made is not there');
    const token = newToken();
    await insertSession(db, { tokenHash: hashToken(token), admin, maxSeconds: 3600 });
    tokens.push(...Array.from({ length: STREAMS_PER_ADMIN }, () => token));
  }
  return tokens.slice(0, STREAMS);
}

/** Some at a time, to and fro, as a finished post stays so. */
async function changePosts(db: Database, seconds: number): Promise<void> {
  const [perTick, pauseMs] = [CHANGES_PER_SECOND / TICKS_PER_SECOND, 1000 / TICKS_PER_SECOND];
  const startedAt = performance.now();
  for (let tick = 1; tick <= seconds * TICKS_PER_SECOND; tick += 1) {
    await changeSome(db, Math.round(perTick * tick) - Math.round(perTick * (tick - 1)));
    await delay(Math.max(0, startedAt + tick * pauseMs - performance.now()));
  }
}

async function changeSome(db: Database, posts: number): Promise<void> {
  await db.execute(sql`
    update posts set status = case status when 'PENDING' then 'CANCELLED' else 'PENDING' end
    where id in (
      select id from posts where status in ('PENDING', 'CANCELLED') order by id limit ${posts})`);
}

/** What changes while a stream is cut is told to the one that goes on from its last event. */
async function cutAndResumed(db: Database, url: string, token: string): Promise<number> {
  let missed = 0;
  for (let cuts = 0; cuts < CUTS; cuts += 1) {
    const cut = await openEvents(url, token);
    const { id } = await cut.next();
    cut.close();
    await changeSome(db, 1);
    const resumed = await openEvents(url, token, id);
    if (!(await resumed.next()).topics.includes('posts')) missed += 1;
    resumed.close();
  }
  return missed;
}

/** The longest from the request to the end of the last stream of its session. */
async function loggedOut(
  url: string,
  tokens: readonly string[],
  readers: readonly EventReader[],
): Promise<number> {
  let most = 0;
  for (const token of new Set(tokens)) {
    const ended = readers
      .filter((_, index) => tokens[index] === token)
      .map((reader) => reader.ended);
    const headers = { authorization: `Bearer ${token}` };
    const startedAt = performance.now();
    await fetch(`${url}${authLogout.path}`, { method: authLogout.method, headers });
    await Promise.all(ended);
    most = Math.max(most, performance.now() - startedAt);
  }
  return most;
}
