import { TOKEN_STORAGE_KEY } from '@meridian/contract/session-calls';
import type { Endpoint } from '@meridian/contract/endpoint';
import { propertyOf } from '@meridian/contract/untrusted';
import { readStored, writeStored } from '@meridian/ui/api/browser.ts';
import { type CallArgs, registerAccess } from '@meridian/ui/api/call.ts';
import { ApiError, UnexpectedResponseError } from '@meridian/ui/api/errors.ts';
import { expectMeridian, whenMeridianIsKnown } from '@meridian/ui/api/session.ts';

/** The console's calls carry a bearer token from the browser's storage. */
export function startAccess(): void {
  registerAccess({
    base: () => import.meta.env.VITE_API_BASE_URL,
    credentials: 'omit',
    identify(endpoint) {
      // The code for its responses is there with the first of them, not after it.
      if (expectMeridian() === false) loadForeign().catch(() => undefined);
      // The answer belongs to the session that asks: a late response must not wait for the next login.
      const known = whenMeridianIsKnown();
      const readHere = (raw: unknown, asked: Asked) => read(endpoint, raw, asked, known);
      if (endpoint.credential === 'none') return { headers: {}, read: readHere };
      const token = getToken();
      if (token === null) {
        listener(null);
        throw new ApiError({ status: 401, message: '' });
      }
      return {
        headers: { Authorization: `Bearer ${token}` },
        onRefused({ status }) {
          if (status === 401) listener(token);
        },
        read: readHere,
      };
    },
  });
}

type Asked = Pick<CallArgs<Endpoint>, 'params' | 'query'>;

const loadForeign = () => import('./foreign.ts');

/** These come before it is known whether the server is Meridian, and the console needs no more than the token. */
const ALWAYS_THE_SAME = new Set(['authLogin', 'authLogout']);

async function read(
  endpoint: Endpoint,
  raw: unknown,
  asked: Asked,
  known: Promise<boolean>,
): Promise<unknown> {
  // The session looks at the token itself.
  if (ALWAYS_THE_SAME.has(endpoint.name)) return raw;
  const isMe = endpoint.name === 'authMe';
  const isMeridian = isMe ? typeof propertyOf(raw, 'meridian') === 'string' : await known;
  if (!isMeridian) return (await loadForeign()).readForeign(endpoint, raw, asked);
  // Meridian serialises its responses by this very schema; of a change it is enough that it succeeded.
  if (endpoint.method !== 'GET') return raw;
  // The schema of the session itself is not loaded.
  if (isMe && typeof propertyOf(raw, 'username') === 'string') return raw;
  const result = isMe ? undefined : endpoint.answer.safeParse(raw);
  if (result?.success) return result.data;
  // Without a message the screen says its own.
  throw new UnexpectedResponseError({ status: endpoint.status, message: '' });
}

type Listener = (token: string | null) => void;

let listener: Listener = () => {};

/** The session listens here. The refused token may be another than the one in use by now; null: none is stored. */
export function onUnauthorized(next: Listener): void {
  listener = next;
}

/** Stands in where the browser forbids storage: signed in until the tab closes. */
let memory: string | null = null;

export function getToken(): string | null {
  const stored = readStored(TOKEN_STORAGE_KEY);
  return stored === undefined ? memory : stored;
}

export function setToken(token: string): void {
  keep(token);
}

export function clearToken(): void {
  keep(null);
}

function keep(token: string | null): void {
  memory = token;
  writeStored(TOKEN_STORAGE_KEY, token);
}
