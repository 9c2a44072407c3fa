import { setInterval } from 'node:timers/promises';
import { EXPORT_FORMATS, postExport } from '@meridian/contract/exports';
import type { ExportFormat } from '@meridian/contract/exports';
import type { Row } from '../report/row.ts';
import { memoryOf } from '../stand/our-server.ts';
import type { OurServer } from '../stand/our-server.ts';
import type { Installation } from '../stand/stand.ts';
import { countText } from './response-times.ts';

const SECTION = 'Export of all posts';
const SAMPLE_MS = 200;
/** Loads the code and opens what a first export needs: the posts of one day. */
const WARM_UP = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

/** The most memory that the server has while it writes all posts, against that before. */
export async function exports({ server, database }: Installation): Promise<Row[]> {
  const rows: Row[] = [];
  for (const format of EXPORT_FORMATS) {
    await read(server, format, WARM_UP);
    const before = await memoryOf(server.pid);
    if (before === null) return [];
    const ended = new AbortController();
    const most = highest(server, ended.signal);
    await read(server, format, {});
    ended.abort();
    const value = (await most) - before;
    rows.push({
      section: SECTION,
      name: `${countText(database.posts)} posts as ${format}, more memory`,
      ours: { value, unit: 'MB' },
      against: null,
      measured: value,
      mark: 'exportMemory',
    });
  }
  return rows;
}

/** As a browser that writes to disk: a piece is dropped before the next one is read. */
async function read(
  { url, token }: OurServer,
  format: ExportFormat,
  filter: Record<string, string>,
) {
  const query = new URLSearchParams({ format, ...filter });
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}${postExport.path}?${query.toString()}`, { headers });
  if (!response.ok || response.body === null)
    throw new Error(`The export ended with ${response.status}`);
  await response.body.pipeTo(new WritableStream());
}

async function highest({ pid }: OurServer, signal: AbortSignal): Promise<number> {
  let most = 0;
  for await (const _ of setInterval(SAMPLE_MS)) {
    most = Math.max(most, (await memoryOf(pid)) ?? 0);
    if (signal.aborted) break;
  }
  return most;
}
