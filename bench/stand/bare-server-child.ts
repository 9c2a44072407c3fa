import { fastify } from 'fastify';
import { Pool } from 'pg';
import { SESSION_SETTINGS, settingStatements } from '../../server/src/db/session.ts';
import { columnTypes } from '../../server/src/db/types.ts';
import type { BareOrder } from './bare-server.ts';

/**
 * The least that serves a query: no session, no validation, no schema. What our server adds to this
 * is what it costs.
 */
async function serve({ connectionString, poolSize, routes }: BareOrder): Promise<string> {
  // Planned as our server has it planned: what is compared is everything else.
  const statements = settingStatements(SESSION_SETTINGS);
  const pool = new Pool({
    connectionString,
    max: poolSize,
    types: columnTypes,
    onConnect: (client): unknown => client.query(statements),
  });
  const app = fastify();
  for (const { path, name, text, values } of routes) {
    app.get(path, async (_, reply) => {
      const { rows } = await pool.query({ name, text, values });
      reply.type('application/json; charset=utf-8');
      return JSON.stringify(rows);
    });
  }
  return app.listen({ port: 0, host: '127.0.0.1' });
}

process.once('disconnect', () => process.exit(0));
process.once('message', (order: BareOrder) => {
  void serve(order).then((url) => process.send?.(url));
});
