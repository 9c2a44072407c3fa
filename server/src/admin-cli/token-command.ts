import { apiTokenCreate, GRACE_MINUTES_MAX, TOKEN_DAYS_MAX } from '@meridian/contract/api-tokens';
import { RIGHTS } from '@meridian/contract/endpoint';
import { RIGHT_NAMES } from '@meridian/contract/api-tokens';
import type { Right } from '@meridian/contract/endpoint';
import { HOST } from '../audit/audit.store.ts';
import {
  ArgumentError,
  DATABASE_OPTIONS,
  readDatabaseUrl,
  readOption,
  splitArguments,
} from '../cli/cli.ts';
import { username, whole } from '../config/parsers.ts';
import type { Database } from '../db/database.ts';
import { findAdmin } from '../features/administrators/administrators.store.ts';
import { createApiTokens } from '../features/api-tokens/api-tokens.ts';
import { AppError } from '../http/errors.ts';
import { StartError } from '../start-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const TOKEN_USAGE = `Manages the API tokens of administrators, with which programs make calls.

  npm run admin -- token create NAME --owner ADMINISTRATOR --rights RIGHTS [--days N] [--origin URL]
  npm run admin -- token list
  npm run admin -- token rotate ID [--grace MINUTES]
  npm run admin -- token revoke ID

  rotate          replaces the token; its rights, origins and expiry stay

  --owner NAME    the administrator for whom the token acts; disabling that account stops it
  --rights LIST   separated by commas, of these:
${RIGHT_NAMES.map((right) => `                    ${right.padEnd(17)} ${RIGHTS[right]}`).join('\n')}
  --days N        until it expires, 90 by default, ${TOKEN_DAYS_MAX} at most
  --origin URL    where members may be sent back to after their sign-in, may be repeated; https, and
                  http on localhost alone
  --grace N       minutes for which the replaced token goes on, 60 by default, ${GRACE_MINUTES_MAX} at most
`;

const OPTIONS = {
  owner: { type: 'string' },
  rights: { type: 'string' },
  days: { type: 'string', default: '90' },
  origin: { type: 'string', multiple: true },
  grace: { type: 'string', default: '60' },
  ...DATABASE_OPTIONS,
} as const;

export function readTokenArguments(args: readonly string[]) {
  const { values, positionals } = splitArguments(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    TOKEN_USAGE,
  );
  const [action, name, another] = positionals;
  const databaseUrl = readDatabaseUrl(values['database-url']);
  if (action === 'list' && name === undefined) return { action, databaseUrl } as const;
  if (name === undefined || another !== undefined) {
    throw new ArgumentError(
      'Say what to do: token create NAME, token list, token rotate ID or token revoke ID.',
    );
  }
  if (action === 'revoke') return { action, id: name, databaseUrl } as const;
  if (action === 'rotate') {
    const graceMinutes = readOption('grace', whole(0, GRACE_MINUTES_MAX), values.grace);
    return { action, id: name, graceMinutes, databaseUrl } as const;
  }
  if (action !== 'create') {
    throw new ArgumentError(
      'Say what to do: token create, token list, token rotate or token revoke.',
    );
  }
  if (values.owner === undefined) throw new ArgumentError('create needs --owner.');
  return {
    action,
    name,
    owner: readOption('owner', username, values.owner),
    rights: rightsOf(values.rights),
    days: readOption('days', whole(1, TOKEN_DAYS_MAX), values.days),
    origins: values.origin ?? [],
    databaseUrl,
  } as const;
}

function rightsOf(text = ''): Right[] {
  const words = text.split(',').map((word) => word.trim());
  const rights = RIGHT_NAMES.filter((right) => words.includes(right));
  const unknown = words.find((word) => !RIGHT_NAMES.some((right) => right === word));
  if (unknown === undefined) return rights;
  throw new ArgumentError(
    `${unknown === '' ? 'create needs --rights' : `There is no right ${unknown}`}. They are ${RIGHT_NAMES.join(', ')}.`,
  );
}

export async function runTokenCommand(
  found: ReturnType<typeof readTokenArguments>,
  db: Database,
  say: (line: string) => void,
): Promise<void> {
  const tokens = createApiTokens(db, 0).ofAdministrators(HOST);
  const shown = (token: string) => say(`API token, shown only this once: ${token}`);
  try {
    if (found.action === 'list') {
      const list = await tokens.list();
      if (list.length === 0) say('There are no API tokens.');
      for (const { id, name, owner, rights, expiresAt, lastUsedAt } of list) {
        say(`${id}  ${name}  of ${owner}  until ${expiresAt}  last used ${lastUsedAt ?? 'never'}`);
        say(`  ${rights.join(', ')}`);
      }
      return;
    }
    if (found.action === 'revoke') {
      const { name } = await tokens.revoke(found.id);
      return say(`The API token ${name} is revoked.`);
    }
    if (found.action === 'rotate') {
      return shown((await tokens.rotate(found.id, found.graceMinutes)).token);
    }
    const admin = await findAdmin(db, found.owner);
    if (admin === null) throw new StartError(`There is no administrator named ${found.owner}.`);
    const { name, rights, origins } = found;
    const expiresAt = new Date(Date.now() + found.days * DAY_MS).toISOString();
    const typed = apiTokenCreate.body.safeParse({ name, rights, origins, expiresAt });
    if (!typed.success) {
      throw new StartError(typed.error.issues.map(({ message }) => `${message}.`).join(' '));
    }
    shown((await tokens.create({ adminId: admin.id }, typed.data)).token);
  } catch (error) {
    if (error instanceof AppError) throw new StartError(`${error.message}.`, { cause: error });
    throw error;
  }
}
