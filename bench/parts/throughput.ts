import { compareThroughput } from '../measure/throughput.ts';
import type { LoadPace } from '../measure/throughput.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import type { Row } from '../report/row.ts';
import type { Installation } from '../stand/stand.ts';
import { CALLS } from './calls.ts';
import type { Call } from './calls.ts';

/** The statement of each call under the path that the bare server gives it. */
export async function bareRoutes({ facts }: Installation): Promise<Map<string, Sql>> {
  const routes = new Map<string, Sql>();
  for (const call of CALLS) routes.set(barePath(call), await call.own(facts));
  return routes;
}

export function barePath(call: Call): string {
  return `/${CALLS.indexOf(call)}`;
}

export async function throughput(
  large: Installation,
  bareUrl: string,
  pace: LoadPace,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const call of CALLS.filter(({ isLoaded }) => isLoaded)) {
    const { url, token } = large.server;
    const { ours, bare } = await compareThroughput(
      { url, request: { path: call.path(large.facts), token } },
      { url: bareUrl, request: { path: barePath(call) } },
      pace,
    );
    rows.push({
      section: 'Throughput at 8 connections against a bare Fastify route',
      name: call.name,
      ours: { value: ours, unit: '/s' },
      against: { name: 'bare', value: bare, unit: '/s' },
      mark: 'throughput',
    });
  }
  return rows;
}

/** Compiled, with every statement prepared on every connection: as servers are after a while. */
export async function warmUp(
  installations: readonly Installation[],
  bareUrl: string,
  pace: LoadPace,
): Promise<void> {
  for (const call of CALLS.filter(({ isLoaded }) => isLoaded)) {
    for (const { server, facts } of installations) {
      const { url, token } = server;
      await compareThroughput(
        { url, request: { path: call.path(facts), token } },
        { url: bareUrl, request: { path: barePath(call) } },
        pace,
      );
    }
  }
}
