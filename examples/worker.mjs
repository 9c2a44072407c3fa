// A worker for programs that publish posts themselves, on the functions of meridian_api
// (docs/integration.md). Run Meridian with ENGINE=off, or beside its engine: a post is never out twice.
//
//   DATABASE_URL   the database, by a role that `npm run grant -- --role NAME` was run for
//   PDS_URL        the host of the accounts
//   PDS_TOKENS     a JSON file: { "did:plc:…": "access token" }
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';

const { DATABASE_URL, PDS_URL, PDS_TOKENS } = process.env;
const COLLECTION = 'app.bsky.feed.post';
const BACKOFF_SECONDS = [2, 5, 15, 45, 120, 300];
const RETRY_MS = 10 * 60_000;
const CLOCK = BigInt(Math.floor(Math.random() * 1024));
let lastMicros = 0;

const db = new Pool({ connectionString: DATABASE_URL, max: 8 });
// An idle connection that breaks is replaced; without a listener it would end the process.
db.on('error', report);
const tokens = JSON.parse(await readFile(PDS_TOKENS, 'utf8'));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());

while (!stopping.signal.aborted) {
  // A database that restarts is asked again.
  const posts = (await rows('select * from meridian_api.claim_posts(50, 60)').catch(report)) ?? [];
  await Promise.all(posts.map((post) => publish(post).catch(report)));
  // A post whose publication broke off is claimed again when its lease ends.
  if (posts.length < 50) await delay(1000);
}
await db.end();

function report(error) {
  process.stderr.write(`${error.stack}\n`);
}

async function publish(post) {
  const { post_id: id, attempt, did } = post;
  if (tokens[did] === undefined) return call('hold_post', id, attempt, 'reconnect');
  if (post.writes === null && (post.embed ?? post.reply_to ?? post.thread)) {
    return call('fail_post', id, attempt, 'invalid_record', 'This worker publishes text alone');
  }
  const mine = post.writes ?? [{ rkey: newTid(), record: recordOf(post) }];
  // Committed before the first byte is sent; null when the post is no longer this worker's to send.
  const writes = await call('journal_post', id, attempt, JSON.stringify(mine));
  if (writes === null) return null;
  const uri = `at://${did}/${COLLECTION}/${writes[0].rkey}`;
  if (post.writes !== null && Date.now() - Date.parse(writes[0].record.createdAt) > RETRY_MS) {
    // Sent again, it could restore a post that its author has deleted: the host is asked instead.
    const key = new URLSearchParams({ repo: did, collection: COLLECTION, rkey: writes[0].rkey });
    const found = await request(did, `com.atproto.repo.getRecord?${key}`);
    if (found.status === 200) return call('finish_post', id, attempt, uri);
    return call('fail_post', id, attempt, 'unknown_outcome', 'Sent, never confirmed');
  }
  const { status, body } = await putAll(did, writes);
  if (status === 200) return call('finish_post', id, attempt, uri);
  if (status === 401 || body.error === 'ExpiredToken') {
    return call('hold_post', id, attempt, 'reconnect');
  }
  if (status >= 400 && status < 500 && status !== 429) {
    return call('fail_post', id, attempt, 'invalid_record', `The host refused it: ${body.message}`);
  }
  // No response, or one that does not tell whether the post is out: the same is sent again.
  const wait = BACKOFF_SECONDS[Math.min(attempt, BACKOFF_SECONDS.length) - 1];
  const cause = status === 429 ? 'rate_limited_host' : 'host_down';
  return call('put_off_post', id, attempt, wait, cause);
}

/** The same record at every attempt: it is made once and journalled. */
function recordOf({ content, facets, languages }) {
  return {
    $type: COLLECTION,
    text: content,
    ...(facets && { facets }),
    ...(languages.length > 0 && { langs: languages.slice(0, 3) }),
    createdAt: new Date().toISOString(),
  };
}

/** Response 200, or the first other one. One write, or a thread of them that an engine has journalled. */
async function putAll(did, writes) {
  for (const { rkey, record } of writes) {
    const input = { repo: did, collection: COLLECTION, rkey, record, swapRecord: null };
    const response = await request(did, 'com.atproto.repo.putRecord', input);
    // InvalidSwap: something is there already, and the key is only in our journal: it is this record.
    if (response.status !== 200 && response.body.error !== 'InvalidSwap') return response;
  }
  return { status: 200 };
}

async function request(did, path, input) {
  try {
    const response = await fetch(`${PDS_URL}/xrpc/${path}`, {
      method: input === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${tokens[did]}`, 'content-type': 'application/json' },
      body: input === undefined ? null : JSON.stringify(input),
      signal: AbortSignal.timeout(8000),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return { status: 0, body: { message: String(error) } };
  }
}

/** A record key: microseconds that never repeat and this worker's number, in an alphabet that sorts like the time. */
function newTid() {
  lastMicros = Math.max(Date.now() * 1000, lastMicros + 1);
  const number = (BigInt(lastMicros) << 10n) | CLOCK;
  const digit = (place) =>
    '234567abcdefghijklmnopqrstuvwxyz'[Number((number >> BigInt(place * 5)) & 31n)];
  return Array.from({ length: 13 }, (_, index) => digit(12 - index)).join('');
}

async function rows(text, values) {
  return (await db.query(text, values)).rows;
}

async function call(name, ...values) {
  const places = values.map((_, index) => `$${index + 1}`).join();
  return (await rows(`select meridian_api.${name}(${places}) as result`, values))[0].result;
}
