import type { Endpoint } from '@meridian/contract/endpoint';
import { isRecord } from '@meridian/contract/response-shape';
import { fieldsDiffer } from './fields-differ.ts';
import { idOf, rowsOf } from './probe.ts';
import type { Probe, Row } from './probe.ts';

type Resource = { get: Endpoint; name: string; id: string };

/** Reads a resource again after each change; a call is blamed for its own fields, not for earlier ones. */
export function createStored(probe: Probe, { get, name, id }: Resource) {
  let known: Row = {};
  return async function expectStored(after: Endpoint, sent: object): Promise<void> {
    const found = (await probe.succeeds(get, { params: { id } }))?.[name];
    if (!isRecord(found)) return;
    const expected = { ...known, ...sent };
    for (const sentence of fieldsDiffer(name, expected, found)) probe.differs(after, sentence);
    known = Object.fromEntries(
      Object.keys(expected).flatMap((field) => (field in found ? [[field, found[field]]] : [])),
    );
  };
}

type Listing = { list: Endpoint; name: string; id: string; query?: Record<string, string> };

/** What was made has to be in its list; without the list itself that is reported already. */
export async function expectListed(
  probe: Probe,
  { list, name, id, query = {} }: Listing,
  sentence: string,
): Promise<void> {
  const body = await probe.succeeds(list, { query });
  if (!Array.isArray(body?.[name])) return;
  if (!rowsOf(body, name).some((row) => idOf(row) === id)) probe.differs(list, sentence);
}
