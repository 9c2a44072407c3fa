import type { ClientConfig } from 'pg';
import {
  databasePlace,
  prepareSchema,
  runTool,
  withClient,
  withSnapshot,
  withToolDatabase,
} from '../cli/cli.ts';
import { readVariables } from '../config/parsers.ts';
import { VARIABLES } from '../config/variables.ts';
import { openDatabase } from '../db/database.ts';
import { requireCurrentSchema } from '../db/schema.ts';
import { createAdministratorsService } from '../features/administrators/administrators.service.ts';
import { initialPasswordFile } from '../features/administrators/first-administrator.ts';
import { readArguments, USAGE } from './arguments.ts';
import type { AdminArguments, ChangeArguments } from './arguments.ts';
import { runCommand, sayAdmins } from './commands.ts';
import { readPassword } from './read-password.ts';
import { readTokenArguments, runTokenCommand, TOKEN_USAGE } from './token-command.ts';

const { PASSWORD_MIN_LENGTH } = VARIABLES;

await runTool({ name: 'admin', untouched: 'Nothing was changed.' }, async () => {
  const args = process.argv.slice(2);
  if (args[0] === 'token') return administerTokens(args.slice(1));
  const found = readArguments(args);
  if (found === 'help') process.stdout.write(USAGE);
  else await administer(found);
});

async function administerTokens(args: readonly string[]): Promise<void> {
  const found = readTokenArguments(args);
  if (found === 'help') {
    process.stdout.write(TOKEN_USAGE);
    return;
  }
  await withToolDatabase(databasePlace(found.databaseUrl), async (connection) => {
    await withClient(connection, (client) => requireCurrentSchema(client));
    const db = openDatabase(connection, { maxConnections: 1, onError: () => {} });
    try {
      await runTokenCommand(found, db, say);
    } finally {
      await db.close();
    }
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function administer(found: AdminArguments): Promise<void> {
  const place = databasePlace(found.databaseUrl);
  const work = (connection: ClientConfig) =>
    found.command === 'list'
      ? withSnapshot(connection, (db) => sayAdmins(db, say))
      : change(connection, found, place.dataDir);
  // The first administrator may be made before the first start.
  await withToolDatabase(place, work, { mayCreate: found.command === 'create' });
}

async function change(
  connection: ClientConfig,
  found: ChangeArguments,
  dataDir: string,
): Promise<void> {
  if (found.command === 'create') await prepareSchema(connection);
  else await withClient(connection, (client) => requireCurrentSchema(client));
  const variables = readVariables({ PASSWORD_MIN_LENGTH }, process.env);
  // A connection that breaks makes the statement on it fail; there is nothing to add.
  const db = openDatabase(connection, { maxConnections: 1, onError: () => {} });
  const admins = createAdministratorsService({
    db,
    passwordMinLength: variables.PASSWORD_MIN_LENGTH,
    initialPassword: initialPasswordFile(dataDir),
  });
  try {
    await runCommand(found, admins, {
      say,
      readPassword: () =>
        readPassword({ input: process.stdin, ask: (text) => process.stderr.write(text) }),
    });
  } finally {
    await db.close();
  }
}
