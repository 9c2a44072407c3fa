import { hasDatabase, startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig, ParseArgsOptionDescriptor } from 'node:util';
import type { Client, ClientConfig } from 'pg';
import {
  DATABASE_ADDRESS,
  Malformed,
  databaseUrl,
  directOrFile,
  hasPassword,
  inSecretFile,
  masked,
  readVariables,
} from '../config/parsers.ts';
import { VARIABLES } from '../config/variables.ts';
import { connectError } from '../db/connect-error.ts';
import { databaseOn, liftTimeLimits, newClient } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { DatabaseUnavailable, isServerError } from '../db/errors.ts';
import { migrate } from '../db/migrate.ts';
import { requireCurrentOrEmpty, requireCurrentSchema } from '../db/schema.ts';
import { columnTypes } from '../db/columns.ts';
import { StartError, isStartError } from '../start-error.ts';

export class ArgumentError extends Error {}

export class HelpAsked extends Error {}

type Options = Record<string, ParseArgsOptionDescriptor>;
type CommandLine = ParseArgsConfig & { args: string[]; options: Options };

export function splitArguments<const T extends CommandLine>(config: T, usage?: string) {
  checkTokens(config);
  const found = parseArgs(config);
  const { help }: { help?: unknown } = found.values;
  if (usage !== undefined && help === true) throw new HelpAsked(usage);
  return found;
}

export const DATABASE_USAGE = `  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

export const DATABASE_OPTIONS = {
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** The messages of parseArgs are written for programmers, so its refusals are made here first. */
function checkTokens({ args, options, allowPositionals = false }: CommandLine): void {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional' && !allowPositionals) {
      throw new ArgumentError(`This command takes options only, not "${masked(token.value)}".`);
    }
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (option === undefined) throw new ArgumentError(`There is no option ${token.rawName}.`);
    if (given.has(token.name) && option.multiple !== true) {
      throw new ArgumentError(`${token.rawName} is given more than once.`);
    }
    given.add(token.name);
    checkValue(option, token);
  }
}

type OptionToken = { rawName: string; value: string | undefined; inlineValue: boolean | undefined };

function checkValue({ type }: ParseArgsOptionDescriptor, token: OptionToken): void {
  const { rawName, value, inlineValue } = token;
  if (type === 'boolean') {
    if (value !== undefined) throw new ArgumentError(`${rawName} takes no value.`);
    return;
  }
  if (value === undefined || value === '') throw new ArgumentError(`${rawName} needs a value.`);
  // A dash most likely begins the next option, and the value was forgotten.
  if (inlineValue !== true && value.startsWith('-')) {
    throw new ArgumentError(
      `${rawName} needs a value; one that begins with a dash is written ${rawName}=VALUE.`,
    );
  }
}

/** A secret is not repeated in the message. */
export function readOption<T>(
  name: string,
  parse: (text: string) => T,
  text: string,
  { isSecret = false } = {},
): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const given = isSecret ? '' : `, not "${masked(text)}"`;
    throw new ArgumentError(`--${name} must be ${error.message}${given}.`, { cause: error });
  }
}

type Tool = {
  name: string;
  /** The sentence must be true whenever the database or the system has refused. */
  untouched: string;
};

/** Exit code 1 means that the command could not be done, 2 that the command line is wrong. */
export async function runTool(tool: Tool, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof HelpAsked) {
      say(error.message.trimEnd());
      return;
    }
    process.exitCode = error instanceof ArgumentError ? 2 : 1;
    process.stderr.write(`${explained(tool, error)}\n`);
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function explained({ name, untouched }: Tool, error: unknown): string {
  if (error instanceof ArgumentError) return `${error.message}\nSee npm run ${name} -- --help`;
  if (isServerError(error)) return `The database refused: ${error.message}. ${untouched}`;
  if (error instanceof Error && 'syscall' in error) {
    return `The system refused: ${error.message}. ${untouched}`;
  }
  if (error instanceof DatabaseUnavailable) {
    return 'The connection to the database broke. Look at what was done, then try again.';
  }
  if (isStartError(error)) return error.message;
  throw error;
}

type Screen = { isTTY?: boolean; write(text: string): unknown };

export type Progress = ReturnType<typeof createProgress>;

const BAR_WIDTH = 28;
const REDRAW_MS = 100;

export function createProgress(screen: Screen, clock = Date.now) {
  const isTerminal = screen.isTTY === true;
  let name = '';
  let total = 0;
  let done = 0;
  let startedAt = 0;
  let drawnAt = 0;
  let tenth = 0;

  const line = () => {
    const seconds = (clock() - startedAt) / 1000;
    const share = total === 0 ? 1 : done / total;
    const filled = Math.round(share * BAR_WIDTH);
    const bar = isTerminal ? ` ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}` : '';
    const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    return `${name.padEnd(10)}${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${count}, ${seconds.toFixed(1)} s`;
  };
  // A longer text may have left something behind the end.
  const redraw = (end: string) => screen.write(`\r${line()}\u001B[K${end}`);

  const finish = () => {
    if (name === '') return;
    if (isTerminal) redraw('\n');
    name = '';
  };

  return {
    finish,
    step(nextName: string, nextTotal: number) {
      finish();
      [name, total, done, tenth] = [nextName, nextTotal, 0, 0];
      startedAt = clock();
      if (isTerminal) redraw('');
    },
    advance(nowDone: number) {
      done = nowDone;
      if (isTerminal) {
        if (clock() - drawnAt < REDRAW_MS && done < total) return;
        drawnAt = clock();
        redraw('');
        return;
      }
      const reached = total === 0 ? 10 : Math.floor((done / total) * 10);
      if (reached > tenth) screen.write(`${line()}\n`);
      tenth = Math.max(tenth, reached);
    },
  };
}

export function readDatabaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  return readAddress('database-url', text, 'set DATABASE_URL or DATABASE_URL_FILE instead');
}

export function readTarget(values: { to?: string; 'to-file'?: string }): string {
  const { to, 'to-file': file } = values;
  if (to === undefined && file === undefined) {
    throw new ArgumentError('Name the database to copy to: --to URL or --to-file FILE.');
  }
  if (to !== undefined && file !== undefined) {
    throw new ArgumentError('Give --to or --to-file, not both.');
  }
  if (to !== undefined) return readAddress('to', to, 'use --to-file FILE instead');
  return readOption('to-file', inSecretFile(DATABASE_ADDRESS, databaseUrl), file ?? '');
}

function readAddress(name: string, text: string, instead: string): string {
  const address = readOption(name, databaseUrl, text, { isSecret: true });
  if (!hasPassword(address)) return address;
  throw new ArgumentError(
    `--${name} must not hold a password, because every user of this machine can see it: ${instead}, or leave the password to PGPASSWORD or a password file (~/.pgpass, PGPASSFILE).`,
  );
}

type DatabasePlace = { databaseUrl: string | null; dataDir: string };

const { DATA_DIR, DATABASE_URL, DATABASE_URL_FILE } = VARIABLES;

export function databasePlace(chosen: string | null): DatabasePlace {
  const variables = readVariables({ DATA_DIR, DATABASE_URL, DATABASE_URL_FILE }, process.env);
  const databaseUrl = chosen ?? directOrFile('DATABASE_URL', variables);
  return { databaseUrl, dataDir: variables.DATA_DIR };
}

export async function withToolDatabase(
  { databaseUrl, dataDir }: DatabasePlace,
  work: (connection: ClientConfig) => Promise<void>,
  { mayCreate = false } = {},
): Promise<void> {
  if (databaseUrl !== null) return work({ connectionString: databaseUrl });
  // In the wrong folder, a new empty database would make every check succeed.
  if (!mayCreate && !(await hasDatabase(dataDir))) {
    throw new StartError(
      `There is no database in ${dataDir}. Set DATA_DIR to the folder that the server uses, or DATABASE_URL to its PostgreSQL server.`,
    );
  }
  const embedded = await startEmbeddedDatabase({
    dataDir,
    purpose: 'tool',
    onNotice: (message) => process.stderr.write(`${message}\n`),
  });
  try {
    await work(embedded.connection);
  } finally {
    await embedded.stop();
  }
}

export async function withClient<T>(
  connection: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = newClient({ connectionTimeoutMillis: 15_000, types: columnTypes, ...connection });
  try {
    await client.connect().catch((error: unknown) => {
      throw connectError(client, error);
    });
    // Times are parsed, and copied to other databases, in this style.
    await client.query('set datestyle = ISO');
    await liftTimeLimits(client);
    return await work(client);
  } finally {
    // This runs after a refused authentication too: the server would keep the connection for a minute.
    await client.end();
  }
}

/** The database itself enforces that nothing is written. */
export async function withReadOnlyClient<T>(
  connection: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withClient(connection, async (client) => {
    // Options in the address would override a startup option, so this is a statement.
    await client.query('set default_transaction_read_only = on');
    await requireCurrentSchema(client);
    return work(client);
  });
}

export async function withSnapshot<T>(
  connection: ClientConfig,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return withReadOnlyClient(connection, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    return work(databaseOn(client));
  });
}

/** Only the server migrates an existing schema. */
export async function prepareSchema(connection: ClientConfig, advice?: string): Promise<void> {
  const state = await withClient(connection, (client) => requireCurrentOrEmpty(client, advice));
  if (state === 'empty') await migrate(connection);
}
