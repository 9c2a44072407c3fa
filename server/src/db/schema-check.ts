import type { Client } from 'pg';
import { StartError } from '../start-error.ts';
import { readDatabaseFacts } from './database-facts.ts';
import { isBehind } from './migrate.ts';

/** Whose schema a database holds. `older` is Meridian's own, with migrations still to come. */
type SchemaState = 'empty' | 'foreign' | 'older' | 'current';

/** Throws one sentence unless the database has exactly the schema of this code. Only reads. */
export async function requireCurrentSchema(client: Client): Promise<void> {
  if ((await requireCurrentOrEmpty(client)) === 'current') return;
  throw new StartError(
    `The database ${nameOf(client)} is empty. Set DATABASE_URL or DATA_DIR to the database that the server uses, or start Meridian on this one first.`,
  );
}

/**
 * The same for a command that may make the schema where nothing else is. `advice` is what to do about a
 * database of another program.
 */
export async function requireCurrentOrEmpty(
  client: Client,
  advice = 'Set DATABASE_URL to the database that the server uses.',
): Promise<'current' | 'empty'> {
  const state = await schemaState(client);
  if (state === 'foreign') {
    throw new StartError(
      `The database ${nameOf(client)} is not Meridian's: it holds tables of another program. ${advice}`,
    );
  }
  if (state === 'older') {
    throw new StartError(
      `The schema of the database ${nameOf(client)} is older than this version of Meridian. Start Meridian on it once, which brings it up to date, then run this command again.`,
    );
  }
  return state;
}

async function schemaState(client: Client): Promise<SchemaState> {
  const facts = await readDatabaseFacts(client);
  if (facts.migrations === 'own') {
    return (await isBehind(client, facts)) ? 'older' : 'current';
  }
  // Stricter than a start, which the operator pointed here on purpose: a command may have been given
  // the wrong address.
  const hasTables = facts.firstTable !== null || facts.hasOtherTables;
  return hasTables || facts.migrations === 'foreign' ? 'foreign' : 'empty';
}

function nameOf(client: Client): string {
  return client.database ?? '';
}
