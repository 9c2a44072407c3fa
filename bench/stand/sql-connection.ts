import { Client } from 'pg';
import type { Db } from '../../server/src/db/database.ts';
import { statementName } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import { columnTypes } from '../../server/src/db/types.ts';

/** One connection through the driver the server uses, with statements prepared as it does. */
export class SqlConnection {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(connectionString: string): Promise<SqlConnection> {
    const client = new Client({ connectionString, types: columnTypes });
    await client.connect();
    return new SqlConnection(client);
  }

  async run<Row>(query: Sql): Promise<Row[]> {
    const { text, values } = query;
    const name = statementName(text) ?? '';
    const { rows } = await this.#client.query({ name, text, values: [...values] });
    // The text of the statement decides the shape of its rows; the caller names it beside the text.
    return rows as Row[];
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

/** The first statement that a store would send, without sending it. */
export function statementOf(ask: (db: Db) => Promise<unknown>): Promise<Sql> {
  return new Promise((resolve, reject) => {
    // Never resolves: the store is dropped while it waits for the rows.
    const capture = (query: Sql) => {
      resolve(query);
      return new Promise<never>(() => {});
    };
    ask({ many: capture, maybeOne: capture, one: capture, execute: capture }).then(
      () => reject(new Error('No statement was sent')),
      reject,
    );
  });
}
