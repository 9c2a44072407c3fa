import type { Client } from 'pg';
import { ArgumentError, splitArguments } from '../cli/arguments.ts';
import { readDatabaseUrl } from '../cli/database-option.ts';
import { runTool } from '../cli/run-tool.ts';
import { withClient } from '../cli/tool-client.ts';
import { databasePlace, withToolDatabase } from '../cli/tool-database.ts';
import { requireCurrentSchema } from '../db/schema-check.ts';
import { findRole, grantApi, otherRights, revokeApi } from './api-role.ts';

const USAGE = `Lets a role of the database call the functions in the schema meridian_api, and nothing else of
Meridian. Ends with code 1 when the role can do more than that.

  npm run grant -- --role NAME [--publishing]

  --role NAME          a role that exists: CREATE ROLE name LOGIN PASSWORD '…'
  --publishing         only the functions of a worker: claim posts and tell what became of them
  --revoke             take it back
  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  role: { type: 'string' },
  publishing: { type: 'boolean', default: false },
  revoke: { type: 'boolean', default: false },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

await runTool({ name: 'grant', untouched: 'Nothing was changed.' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const { role } = values;
  if (role === undefined || role === '') throw new ArgumentError('Name the role: --role NAME.');
  const place = databasePlace(readDatabaseUrl(values['database-url']));
  await withToolDatabase(place, (connection) =>
    withClient(connection, async (client) => {
      await requireCurrentSchema(client);
      const found = await findRole(client, role);
      if (found === null) throw new ArgumentError(`There is no role ${role} in this database.`);
      // What is revoked from it, Meridian itself may no longer do.
      if (found.isOwner) {
        throw new ArgumentError(
          `The role ${role} is the one that Meridian itself uses; give the other program a role of its own.`,
        );
      }
      await (values.revoke ? revoke(client, role) : grant(client, role, values.publishing));
    }),
  );
});

async function revoke(client: Client, role: string): Promise<void> {
  await revokeApi(client, role);
  process.stdout.write(`The role ${role} may no longer call the functions of meridian_api.\n`);
}

async function grant(client: Client, role: string, isWorker: boolean): Promise<void> {
  const count = await grantApi(client, role, isWorker);
  const which = isWorker
    ? `${count} functions of meridian_api, those of a worker`
    : `${count} functions of meridian_api`;
  process.stdout.write(`The role ${role} may call the ${which}.\n`);
  const others = await otherRights(client, role);
  if (others.length === 0) return;
  process.stdout.write(
    `It may do more than that:\n${others.map((line) => `  ${line}\n`).join('')}`,
  );
  process.exitCode = 1;
}
