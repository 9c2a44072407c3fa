import type { ClientConfig } from 'pg';
import {
  ArgumentError,
  DATABASE_OPTIONS,
  DATABASE_USAGE,
  databasePlace,
  prepareSchema,
  readDatabaseUrl,
  readOption,
  runTool,
  say,
  splitArguments,
  withClient,
  withSnapshot,
  withToolDatabase,
} from '../cli/cli.ts';
import { matching, readVariables, username } from '../config/parsers.ts';
import { VARIABLES } from '../config/variables.ts';
import { openDatabase } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { requireCurrentSchema } from '../db/schema.ts';
import { createAdministratorsService } from '../features/administrators/administrators.service.ts';
import { initialPasswordFile } from '../features/administrators/first-administrator.ts';
import { readPassword, runCommand, sayAdmins } from './commands.ts';
import type { Change } from './commands.ts';
import { readTokenArguments, runTokenCommand } from './token-command.ts';

const COMMANDS = ['create', 'reset-password', 'unlock', 'disable', 'enable', 'list'] as const;
type AdminArguments = (Change | { command: 'list' }) & { databaseUrl: string | null };

const USAGE = `Manages the administrators of a database, also while the server runs on it.

  npm run admin -- create NAME [--display-name TEXT] [--generate]
  npm run admin -- reset-password NAME [--generate]
  npm run admin -- unlock NAME
  npm run admin -- disable NAME
  npm run admin -- enable NAME
  npm run admin -- list
  npm run admin -- token --help     the API tokens with which programs make calls

  create               makes an administrator, and the tables first in an empty database
  reset-password       gives a new password, lifts every wait and ends every session
  unlock               lifts every wait after failed sign-ins, for all networks
  disable, enable      refuses sign-ins and ends every session; allows sign-ins again
  list                 all administrators, with the latest sign-in

  --username NAME      another way to give the name
  --display-name TEXT  the name shown in the console
  --generate           makes a password of 24 characters and shows it this once; otherwise it is
                       asked for in the terminal, or read from standard input
${DATABASE_USAGE}`;

const OPTIONS = {
  username: { type: 'string' },
  'display-name': { type: 'string' },
  generate: { type: 'boolean', default: false },
  ...DATABASE_OPTIONS,
} as const;

export function readArguments(args: readonly string[]): AdminArguments {
  const { values, positionals } = splitArguments(
    { args: [...args], options: OPTIONS, allowPositionals: true },
    USAGE,
  );
  const [word, ...names] = positionals;
  const command = COMMANDS.find((one) => one === word);
  if (command === undefined) {
    throw new ArgumentError(`Say what to do: ${COMMANDS.slice(0, -1).join(', ')} or list.`);
  }
  const databaseUrl = readDatabaseUrl(values['database-url']);
  const takesPassword = command === 'create' || command === 'reset-password';
  if (values.generate && !takesPassword) throw new ArgumentError(`${command} sets no password.`);
  const { 'display-name': displayName } = values;
  if (displayName !== undefined && command !== 'create') {
    throw new ArgumentError('--display-name belongs to create.');
  }
  if (values.username !== undefined) names.unshift(values.username);
  if (command === 'list') {
    if (names.length > 0) throw new ArgumentError('list takes no name.');
    return { command, databaseUrl };
  }
  const [name, another] = names;
  if (name === undefined || another !== undefined) {
    throw new ArgumentError(`Name one administrator: ${command} NAME.`);
  }
  return {
    command,
    username: readOption('username', username, name),
    displayName: displayName === undefined ? null : readDisplayName(displayName),
    isGenerated: values.generate,
    databaseUrl,
  };
}

function readDisplayName(text: string): string {
  const parse = matching('1 to 100 visible characters', /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u);
  return readOption('display-name', parse, text.trim());
}

async function administerTokens(args: readonly string[]): Promise<void> {
  const found = readTokenArguments(args);
  await withToolDatabase(databasePlace(found.databaseUrl), async (connection) => {
    await withClient(connection, requireCurrentSchema);
    await withDatabase(connection, (db) => runTokenCommand(found, db, say));
  });
}

async function administer(args: readonly string[]): Promise<void> {
  const found = readArguments(args);
  const place = databasePlace(found.databaseUrl);
  const work = (connection: ClientConfig) =>
    found.command === 'list'
      ? withSnapshot(connection, (db) => sayAdmins(db, say))
      : change(connection, found, place.dataDir);
  await withToolDatabase(place, work, { mayCreate: found.command === 'create' });
}

async function change(connection: ClientConfig, found: Change, dataDir: string): Promise<void> {
  if (found.command === 'create') await prepareSchema(connection);
  else await withClient(connection, requireCurrentSchema);
  const { PASSWORD_MIN_LENGTH } = VARIABLES;
  const variables = readVariables({ PASSWORD_MIN_LENGTH }, process.env);
  await withDatabase(connection, async (db) => {
    const admins = createAdministratorsService({
      db,
      passwordMinLength: variables.PASSWORD_MIN_LENGTH,
      initialPassword: initialPasswordFile(dataDir),
    });
    await runCommand(found, admins, {
      say,
      readPassword: () =>
        readPassword({ input: process.stdin, ask: (text) => process.stderr.write(text) }),
    });
  });
}

async function withDatabase(
  connection: ClientConfig,
  work: (db: Database) => Promise<void>,
): Promise<void> {
  // A connection that breaks makes the statement on it fail; there is nothing to add.
  const db = openDatabase(connection, { maxConnections: 1, onError: () => {} });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

if (import.meta.main) {
  await runTool({ name: 'admin', untouched: 'Nothing was changed.' }, () => {
    const args = process.argv.slice(2);
    return args[0] === 'token' ? administerTokens(args.slice(1)) : administer(args);
  });
}
