// A service of your own behind the console (docs/integration.md): every call of the console, in memory.
//
//   ADMIN_PASSWORD=… PORT=4000 node examples/upstream-server.mjs
//   UPSTREAM_API=http://127.0.0.1:4000 npm start
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { catalogueCalls } from './upstream-server/catalogue.mjs';
import { admin, settings } from './upstream-server/data.mjs';
import { peopleCalls } from './upstream-server/people.mjs';
import { flag, now, refuse } from './upstream-server/rules.mjs';
import { ticketCalls } from './upstream-server/tickets.mjs';

const { ADMIN_PASSWORD, PORT = '4000' } = process.env;
if (!ADMIN_PASSWORD) throw new Error('Set ADMIN_PASSWORD.');

const BODY_MAX_LENGTH = 65_536;
let passwordHash = hashOf(ADMIN_PASSWORD);
const tokens = new Set();

/** Every call: method and path, and what it does with its ids, its body and its query. */
const CALLS = {
  'POST /auth/login': ({ body }) => logIn(body),
  'GET /auth/me': () => admin,
  'PUT /auth/password': ({ body }) => changePassword(body),
  'GET /settings': () => settings,
  'PATCH /settings': ({ body }) => changeSettings(body),
  ...peopleCalls,
  ...ticketCalls,
  ...catalogueCalls,
};
const ROUTES = Object.entries(CALLS).map(([call, run]) => {
  const [method, path] = call.split(' ');
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { method, run, pattern: new RegExp(`^/api/admin${pattern}$`) };
});

createServer((request, response) => void serve(request, response)).listen(
  Number(PORT),
  '127.0.0.1',
  function listening() {
    process.stdout.write(`Listening on http://127.0.0.1:${this.address().port}\n`);
  },
);

async function serve(request, response) {
  try {
    send(response, 200, await handle(request));
  } catch (error) {
    const message = error.status === undefined ? 'Internal error' : error.message;
    send(response, error.status ?? 500, { message });
  }
}

async function handle(request) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname !== '/api/admin/auth/login') requireToken(request.headers.authorization);
  for (const { method, run, pattern } of ROUTES) {
    const match = method === request.method ? pattern.exec(pathname) : null;
    if (match !== null) {
      const query = Object.fromEntries(searchParams);
      return run({ ...match.groups, query, body: await bodyOf(request) });
    }
  }
  return refuse(404, 'Not found');
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > BODY_MAX_LENGTH) refuse(413, 'The request is too large');
  }
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return refuse(400, 'The request body is not valid JSON');
  }
}

/** Good enough for an example; a real service uses scrypt, bcrypt or argon2. */
function hashOf(text) {
  return createHash('sha256').update(String(text)).digest();
}

function logIn({ username, password }) {
  if (!username || !password) refuse(400, 'Username and password are required');
  const isRight = timingSafeEqual(hashOf(password), passwordHash) && username === admin.username;
  if (!isRight) refuse(401, 'Invalid username or password');
  const token = randomBytes(32).toString('base64url');
  tokens.add(token);
  return { token };
}

function requireToken(header = '') {
  if (!tokens.has(header.replace(/^Bearer /, ''))) refuse(401, 'Sign in to continue');
}

function changePassword({ currentPassword, newPassword }) {
  if (!timingSafeEqual(hashOf(currentPassword), passwordHash)) {
    refuse(400, 'Current password is incorrect');
  }
  if (!(newPassword?.length >= 8)) refuse(400, 'New password must be at least 8 characters');
  passwordHash = hashOf(newPassword);
  return { success: true };
}

function changeSettings(body) {
  for (const name of ['is_closed_beta', 'is_service_suspended']) {
    if (body[name] !== undefined) settings[name] = flag(body[name], name);
  }
  return Object.assign(settings, { updated_at: now() });
}
