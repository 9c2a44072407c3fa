import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * A host of the network that keeps every record it ever accepted in a file of its own, so that no database
 * can make it forget one. It answers as the reference PDS does, by rules written here anew.
 */
export async function startHost(file) {
  const records = new Map();
  const accept = (did, rkey, record) => {
    records.set(`${did}/${rkey}`, record);
    appendFileSync(file, `${JSON.stringify({ did, rkey, text: record.text })}\n`);
  };

  const calls = {
    putRecord({ repo, rkey, record }) {
      const stored = records.get(`${repo}/${rkey}`);
      const answer = { uri: uriOf(repo, rkey), cid: cidOf(record) };
      if (stored === undefined) {
        accept(repo, rkey, record);
        return { status: 200, body: { ...answer, commit: { cid: answer.cid, rev: rkey } } };
      }
      return cidOf(stored) === answer.cid
        ? { status: 200, body: answer }
        : refuse(400, 'InvalidSwap');
    },
    applyWrites({ repo, writes }) {
      if (writes.some(({ rkey }) => records.has(`${repo}/${rkey}`))) {
        return refuse(500, 'InternalServerError');
      }
      for (const { rkey, value } of writes) accept(repo, rkey, value);
      const results = writes.map(({ rkey, value }) => ({
        $type: 'com.atproto.repo.applyWrites#createResult',
        uri: uriOf(repo, rkey),
        cid: cidOf(value),
      }));
      return { status: 200, body: { commit: { cid: results[0].cid, rev: 'a' }, results } };
    },
    getRecord({ repo, rkey }) {
      const value = records.get(`${repo}/${rkey}`);
      if (value === undefined) return refuse(400, 'RecordNotFound');
      return { status: 200, body: { uri: uriOf(repo, rkey), cid: cidOf(value), value } };
    },
  };

  async function answer(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url, 'http://host');
    const call = calls[url.pathname.replace('/xrpc/com.atproto.repo.', '')];
    const input =
      request.method === 'GET'
        ? Object.fromEntries(url.searchParams)
        : JSON.parse(Buffer.concat(chunks).toString());
    const { status, body } = call?.(input) ?? refuse(501, 'MethodNotImplemented');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const uriOf = (did, rkey) => `at://${did}/app.bsky.feed.post/${rkey}`;
const refuse = (status, error) => ({ status, body: { error, message: error } });

/** CID of DAG-CBOR with SHA-256 (version 1, base32). */
function cidOf(value) {
  const digest = createHash('sha256').update(encode(value)).digest();
  const bytes = Buffer.concat([Buffer.from([1, 0x71, 0x12, 32]), digest]);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0').match(/.{5}/gu);
  return `b${groups.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[parseInt(five, 2)]).join('')}`;
}

/** The values that a post without pictures has: texts, whole numbers, lists and objects. */
function encode(value) {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (Number.isInteger(value) && value >= 0) return head(0, value);
  if (Array.isArray(value)) {
    return Buffer.concat([head(4, value.length), ...value.map(encode)]);
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).map((key) => Buffer.from(key));
    // Shorter keys first, then by their bytes.
    keys.sort((a, b) => a.length - b.length || Buffer.compare(a, b));
    const fields = keys.flatMap((key) => [encode(key.toString()), encode(value[key.toString()])]);
    return Buffer.concat([head(5, keys.length), ...fields]);
  }
  throw new Error(`No post holds ${JSON.stringify(value)}`);
}

function head(type, length) {
  const major = type << 5;
  if (length < 24) return Buffer.from([major | length]);
  if (length < 256) return Buffer.from([major | 24, length]);
  return Buffer.from([major | 25, length >> 8, length & 255]);
}
