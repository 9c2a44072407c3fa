import { HANDLE_MAX_LENGTH } from '@meridian/contract/me/account';
import { isDid } from '@meridian/contract/untrusted';
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { pageHeaders } from '../../http/guards.ts';
import { CALLBACK_PATH, ConnectError } from '../network.ts';
import type { Connector } from '../network.ts';
import { CONSENT_PATH } from './paths.ts';
import { html } from './post-html.ts';
import type { Html } from './post-html.ts';
import { avatarHtml, handleOf, nameOf, page } from './timeline.ts';
import type { PageOptions, Profile, TimelineOptions } from './timeline.ts';

const MAX_FORM_BYTES = 4_096;

export function consentRoutes(app: FastifyInstance, options: TimelineOptions): void {
  const { db } = options;
  const headers = pageHeaders({ images: options.imageSources, hasForm: true });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    async (_: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
  );

  app.get('/consent', async ({ url }, reply) => {
    const query = new URLSearchParams(url.split('?', 2)[1]);
    const state = query.get('state') ?? '';
    const handle = query.get('handle') ?? '';
    if (state === '' || !isHandle(handle)) throw new AppError('not_found');
    const newcomer = { did: '', handle, displayName: 'New account', avatar: null };
    const [asked, newest] = await Promise.all([findAccount(db, handle), newestAccounts(db)]);
    const others = newest.filter((account) => account.handle !== handle);
    const choices = [asked ?? newcomer, ...others];
    const { text } = consentPage(`Sign in as @${handle}`, state, choices, options);
    return reply.headers(headers).type('text/html; charset=utf-8').send(text);
  });

  app.post('/consent', async ({ body }, reply) => {
    if (!(body instanceof URLSearchParams)) throw new AppError('unsupported_media_type');
    const isAllowed = body.get('decision') === 'allow';
    const outcome = isAllowed ? { handle: body.get('handle') ?? '' } : { error: 'access_denied' };
    const query = new URLSearchParams({ state: body.get('state') ?? '', ...outcome });
    return reply.redirect(`${CALLBACK_PATH}?${query.toString()}`);
  });
}

/** A real host would ask for a password; here an account is chosen. */
function consentPage(
  title: string,
  state: string,
  choices: readonly LocalAccount[],
  options: PageOptions,
): Html {
  return page(
    title,
    html`<h1><bdi>${title}</bdi></h1>
      <p class="lead">
        The service asks to publish posts and pictures in the name of an account. On the local
        network no password is needed: choose who you want to be.
      </p>
      <form method="post">
        <input type="hidden" name="state" value="${state}" />
        <fieldset class="people">
          <legend>Account</legend>
          ${choices.map((account, index) => choiceHtml(account, index === 0, options))}
        </fieldset>
        <p class="buttons">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </p>
      </form>`,
    { isLive: false },
  );
}

function choiceHtml(account: LocalAccount, isChosen: boolean, options: PageOptions): Html {
  const checked = isChosen ? html`checked` : null;
  return html`<label class="person">
    <input type="radio" name="handle" value="${account.handle}" ${checked} />
    ${avatarHtml(account, options)}
    <span class="author">
      <bdi class="name">${nameOf(account)}</bdi>
      <bdi class="handle">${handleOf(account)}</bdi>
    </span>
  </label>`;
}

type LocalAccount = Profile & { handle: string };

const COLUMNS = sql`did, handle, display_name as "displayName", avatar`;

/** Handles are not unique, so the newest account counts. */
function findAccount(db: Db, handle: string): Promise<LocalAccount | null> {
  return db.maybeOne(sql`
    select ${COLUMNS} from users where lower(handle) = ${handle} order by created_at desc, id desc limit 1`);
}

async function findHandle(db: Db, did: string): Promise<string | null> {
  const row = await db.maybeOne<{ handle: string }>(sql`
    select lower(handle) as handle from users where did = ${did}`);
  return row?.handle ?? null;
}

function newestAccounts(db: Db): Promise<LocalAccount[]> {
  return db.many(sql`
    select ${COLUMNS} from users where status = 'ACTIVE' and is_active
    order by created_at desc, id desc limit 8`);
}

const HANDLE = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

function isHandle(text: string): boolean {
  return text.length <= HANDLE_MAX_LENGTH && HANDLE.test(text);
}

/** A handle that is not in use yet becomes a new account. */
export function createLocalConnector(db: Db): Connector {
  return {
    async begin(name, state) {
      const handle = isDid(name) ? await findHandle(db, name) : name;
      if (handle === null || !isHandle(handle)) return null;
      return `${CONSENT_PATH}?${new URLSearchParams({ handle, state }).toString()}`;
    },

    async finish(query) {
      if (query.has('error')) throw new ConnectError('refused');
      const handle = query.get('handle') ?? '';
      if (!isHandle(handle)) throw new ConnectError('expired');
      const known = await findAccount(db, handle);
      const account = known ?? { did: didOf(handle), handle, displayName: null, avatar: null };
      return { ...account, host: 'local', state: query.get('state') ?? '' };
    },

    disconnect: async () => {},
  };
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The DID is the same for the same handle, so that a member who comes back is found again. */
function didOf(handle: string): string {
  const digest = createHash('sha256').update(handle).digest().subarray(0, 24);
  return `did:plc:${Array.from(digest, (byte) => BASE32[byte % 32]).join('')}`;
}
