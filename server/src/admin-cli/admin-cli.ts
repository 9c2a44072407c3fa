import type { ClientConfig } from 'pg';
import { runTool } from '../cli/run-tool.ts';
import { databasePlace, withToolDatabase } from '../cli/tool-database.ts';
import { readVariables } from '../config/variable.ts';
import { VARIABLES } from '../config/variables.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createAdminsService } from '../features/auth/admins.service.ts';
import { initialPasswordFile } from '../features/auth/initial-password-file.ts';
import { readArguments, USAGE } from './arguments.ts';
import type { AdminArguments } from './arguments.ts';
import { runCommand } from './commands.ts';
import { readPassword } from './read-password.ts';

const { PASSWORD_MIN_LENGTH } = VARIABLES;

await runTool({ name: 'admin', untouched: 'Nothing was changed.' }, async () => {
  const found = readArguments(process.argv.slice(2));
  if (found === 'help') process.stdout.write(USAGE);
  else await administer(found);
});

async function administer(found: AdminArguments): Promise<void> {
  const place = databasePlace(found.databaseUrl);
  // The first administrator may be made before the first start.
  const mayCreate = found.command === 'create';
  await withToolDatabase(place, (connection) => work(connection, found, place.dataDir), {
    mayCreate,
  });
}

async function work(
  connection: ClientConfig,
  found: AdminArguments,
  dataDir: string,
): Promise<void> {
  await migrate(connection);
  const variables = readVariables({ PASSWORD_MIN_LENGTH }, process.env);
  // A connection that breaks makes the statement on it fail; there is nothing to add.
  const db = openDatabase(connection, { maxConnections: 1, onError: () => {} });
  const admins = createAdminsService({
    db,
    passwordMinLength: variables.PASSWORD_MIN_LENGTH,
    initialPassword: initialPasswordFile(dataDir),
  });
  try {
    await runCommand(found, admins, {
      say: (line) => process.stdout.write(`${line}\n`),
      readPassword: () =>
        readPassword({ input: process.stdin, ask: (text) => process.stderr.write(text) }),
    });
  } finally {
    await db.close();
  }
}
