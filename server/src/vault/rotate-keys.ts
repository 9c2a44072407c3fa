import {
  ArgumentError,
  databasePlace,
  readDatabaseUrl,
  runTool,
  splitArguments,
  withClient,
  withToolDatabase,
} from '../cli/cli.ts';
import { directOrFile, readVariables } from '../config/parsers.ts';
import { VARIABLES } from '../config/variables.ts';
import { databaseOn } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { requireCurrentSchema } from '../db/schema.ts';
import { StartError } from '../start-error.ts';
import { createVault, discardLocked, makeMasterKey, readMasterKeys, rewrapAll } from './vault.ts';
import type { KeySource, MasterKeys, Vault } from './vault.ts';

const USAGE = `Without a command, publishes posts until it is stopped.

  npm run engine -- rotate-keys

locks the access to every account by the first key of ENGINE_KEY or ENGINE_KEY_FILE, while the
service runs. The other keys are needed until then, and can be removed afterwards.

  --discard            delete what none of the keys opens; these people have to connect again
  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  discard: { type: 'boolean', default: false },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const { ENGINE_KEY, ENGINE_KEY_FILE } = VARIABLES;

export async function runEngineCommand(args: string[]): Promise<void> {
  await runTool({ name: 'engine', untouched: 'Run the command again.' }, async () => {
    const config = { args, options: OPTIONS, allowPositionals: true } as const;
    const { values, positionals } = splitArguments(config);
    if (values.help) {
      process.stdout.write(USAGE);
      return;
    }
    if (positionals.join(' ') !== 'rotate-keys')
      throw new ArgumentError('There is no such command.');
    const place = databasePlace(readDatabaseUrl(values['database-url']));
    const keysSet = readVariables({ ENGINE_KEY, ENGINE_KEY_FILE }, process.env);
    const engineKeys = directOrFile('ENGINE_KEY', keysSet);
    const { databaseUrl: url, dataDir } = place;
    const source = { engineKeys, dataDir, database: { url } };
    const found = readMasterKeys(source);
    if (found === null && !values.discard) {
      throw new StartError(
        `There is no engine-key in ${dataDir}: put a copy of it there, or give up what it locks with --discard.`,
      );
    }
    await withToolDatabase(place, (connection) =>
      withClient(connection, async (client) => {
        await requireCurrentSchema(client);
        const keys = found ?? (await newMasterKeys(source));
        await rotate(databaseOn(client), createVault(keys), values.discard);
      }),
    );
  });
}

async function newMasterKeys(source: KeySource): Promise<MasterKeys> {
  const path = await makeMasterKey(source);
  process.stdout.write(`Made ${path}; keep a copy apart from backups.\n`);
  const keys = readMasterKeys(source);
  if (keys === null) throw new Error(`${path} is gone`);
  return keys;
}

async function rotate(db: Db, vault: Vault, mayDiscard: boolean): Promise<void> {
  const { rewrapped, missing } = await rewrapAll(db, vault);
  process.stdout.write(`${rewrapped} locked by the key ${vault.keyId}.\n`);
  if (missing.length === 0) return;
  if (mayDiscard) {
    process.stdout.write(`${await discardLocked(db, missing)} discarded.\n`);
    return;
  }
  throw new StartError(
    `The rest needs the key ${missing.join(' and ')}: add it to ENGINE_KEY_FILE or ENGINE_KEY, or give up what it locks with --discard.`,
  );
}
