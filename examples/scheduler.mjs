// A scheduler of your own: its members sign in with their Bluesky accounts, and schedule posts through Meridian.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

const { MERIDIAN = 'http://127.0.0.1:3000', MERIDIAN_TOKEN, PORT = '4100' } = process.env;
const HERE = `http://localhost:${PORT}`;
const text = (value) => value.replaceAll(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// Browsers by the id in their cookie. A real service keeps them in its database.
const sessions = new Map();
/** `did` names the member for whom it is made, `key` makes a repeated call harmless. */
async function call(method, path, { did, body, key } = {}) {
  const response = await fetch(new URL(path, MERIDIAN), {
    method,
    headers: {
      authorization: `Bearer ${MERIDIAN_TOKEN}`,
      ...(did && { 'meridian-member': did }),
      ...(key && { 'idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

const PAGES = {
  async 'GET /'(session) {
    if (!session.did) {
      return `<form method="post" action="/sign-in"><label>Handle <input name="handle"></label> <button>Sign in</button></form>`;
    }
    const { posts } = await call('GET', '/api/me/posts', session);
    const rows = posts.map((p) => `<li>${p.status} ${p.scheduledAt} ${text(p.content)}</li>`);
    return `<p>@${text(session.handle)}</p><form method="post" action="/posts">
      <input type="hidden" name="key" value="${randomUUID()}"><textarea name="content"></textarea>
      <label>At <input name="scheduledAt" value="${new Date(Date.now() + 300_000).toISOString()}"></label>
      <button>Schedule</button></form><ul>${rows.join('')}</ul>`;
  },

  async 'POST /sign-in'(session, form) {
    const body = { handle: form.get('handle'), returnTo: `${HERE}/back` };
    return Object.assign(session, await call('POST', '/api/me/sign-in', { body }));
  },

  async 'GET /back'(session, query) {
    if (query.has('error')) throw new Error(`The sign-in ended: ${query.get('error')}`);
    const body = { signInId: session.signInId, code: query.get('code') };
    Object.assign(session, await call('POST', '/api/me/sign-in/result', { body }));
    return { redirectTo: '/' };
  },

  async 'POST /posts'({ did }, form) {
    const { key, ...body } = Object.fromEntries(form);
    await call('POST', '/api/me/posts', { did, key, body });
    return { redirectTo: '/' };
  },
};

async function serve(request, response) {
  const url = new URL(request.url, HERE);
  const known = /session=([\w-]+)/.exec(request.headers.cookie)?.[1];
  const id = sessions.has(known) ? known : randomUUID();
  if (id !== known) sessions.set(id, {});
  response.setHeader('set-cookie', `session=${id}; HttpOnly; SameSite=Lax`);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  try {
    const input = new URLSearchParams((await textOf(request)) || url.search);
    const page = await PAGES[`${request.method} ${url.pathname}`]?.(sessions.get(id), input);
    if (page?.redirectTo) response.writeHead(303, { location: page.redirectTo }).end();
    else response.writeHead(page ? 200 : 404).end(page ?? 'Not found');
  } catch (error) {
    response.writeHead(502).end(`<p>${text(error.message)}</p><a href="/">Back</a>`);
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(Number(PORT), 'localhost', () => process.stdout.write(`Listening on ${HERE}\n`));
