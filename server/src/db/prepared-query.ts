import pg from 'pg';
import type { ClientBase, Connection, FieldDef, Submittable } from 'pg';
import { columnTypes } from './types.ts';

export type Answer = { rows: Row[]; rowCount: number };
type Row = Record<string, unknown>;
export type PreparedStatement = { name: string; text: string; values: readonly unknown[] };

type Sent = string | Buffer | null;

// Missing in the published types; the driver's companions (pg-cursor) build on it too.
const { prepareValue } = Reflect.get(pg, 'utils') as { prepareValue: (value: unknown) => Sent };

/** The driver's own register of what a connection has prepared, missing in its published types. */
type PreparingConnection = Connection & { parsedStatements: Record<string, string | undefined> };

/**
 * Runs a named statement. Once a connection has prepared it, the driver's own query would still ask
 * for a description of its columns each time, and read it each time: for a short answer that is half
 * of what a query costs this process. The columns of a prepared statement never change (where they
 * would, PostgreSQL refuses to run it), so they are asked for once.
 */
export function runPrepared(client: ClientBase, statement: PreparedStatement): Promise<Answer> {
  return new Promise((resolve, reject) => {
    client.query(
      new PreparedQuery(statement, (error, answer) =>
        answer === undefined ? reject(error) : resolve(answer),
      ),
    );
  });
}

type Callback = (error: unknown, answer?: Answer) => void;

/** The part of a query in the driver's protocol: the client calls these as messages arrive. */
class PreparedQuery implements Submittable {
  readonly name: string;
  readonly text: string;
  /** The client puts its own in front, for its time limit. */
  callback: Callback;
  readonly #values: readonly unknown[];
  readonly #rows: Row[] = [];
  #rowCount = 0;
  #columns: Columns | undefined;
  #known: Map<string, Columns> | undefined;
  #unreadable: unknown;

  constructor({ name, text, values }: PreparedStatement, callback: Callback) {
    this.name = name;
    this.text = text;
    this.callback = callback;
    this.#values = values;
  }

  /** An error that is returned goes to `handleError`, with nothing sent. */
  submit(connection: Connection): unknown {
    let values: Sent[];
    try {
      values = this.#values.map(prepareValue);
    } catch (error) {
      return error;
    }
    this.#known = columnsOn(connection);
    this.#columns = this.#known.get(this.name);
    // The driver's client hands out no other kind of connection.
    const { parsedStatements } = connection as PreparingConnection;
    // One write for all of them.
    connection.stream.cork();
    if (parsedStatements[this.name] === undefined) {
      connection.parse({ name: this.name, text: this.text, types: [] }, true);
    }
    connection.bind({ statement: this.name, values }, true);
    if (this.#columns === undefined) connection.describe({ type: 'P', name: '' }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#learn(new Columns(fields));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      if (this.#columns !== undefined) this.#rows.push(this.#columns.rowOf(fields));
    } catch (error) {
      this.#unreadable ??= error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    // No description has come: it returns no rows, and never will.
    if (this.#columns === undefined) this.#learn(new Columns([]));
    // `UPDATE 3`, `INSERT 0 3`, `SELECT 20`; `CREATE TABLE` touches no rows.
    this.#rowCount = Number(/\d+$/.exec(text)?.[0] ?? 0);
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    if (this.#unreadable !== undefined) this.callback(this.#unreadable);
    else this.callback(null, { rows: this.#rows, rowCount: this.#rowCount });
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  #learn(columns: Columns): void {
    this.#columns = columns;
    this.#known?.set(this.name, columns);
  }
}

class Columns {
  readonly #names: string[];
  readonly #parsers: ((text: string) => unknown)[];
  /** Rows begin as copies of this, so that they all have one shape. */
  readonly #blank: Row;

  constructor(fields: readonly FieldDef[]) {
    this.#names = fields.map(({ name }) => name);
    this.#parsers = fields.map(({ dataTypeID }) =>
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum names only some of the type ids
      columnTypes.getTypeParser(dataTypeID, 'text'),
    );
    this.#blank = Object.fromEntries(this.#names.map((name) => [name, null]));
  }

  rowOf(fields: readonly (string | null)[]): Row {
    const row = { ...this.#blank };
    for (let index = 0; index < fields.length; index += 1) {
      const text = fields[index];
      const name = this.#names[index];
      if (text !== null && text !== undefined && name !== undefined) {
        row[name] = this.#parsers[index]?.(text);
      }
    }
    return row;
  }
}

const columnsByConnection = new WeakMap<Connection, Map<string, Columns>>();

function columnsOn(connection: Connection): Map<string, Columns> {
  const known = columnsByConnection.get(connection);
  if (known !== undefined) return known;
  const made = new Map<string, Columns>();
  columnsByConnection.set(connection, made);
  return made;
}
