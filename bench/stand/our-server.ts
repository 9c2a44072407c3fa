import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServerProcess } from '../../server/test/process.ts';
import type { Closers } from '../../server/src/closers.ts';

export type OurServer = { url: string; token: string; pid: number; startMs: number };

/** The real server on a database, from its start to its first answer. */
export async function startOurServer(
  connectionString: string,
  folder: string,
  closers: Closers,
): Promise<OurServer> {
  const dataDir = join(folder, `data-${new URL(connectionString).pathname.slice(1)}`);
  await mkdir(dataDir, { recursive: true });
  const startedAt = performance.now();
  const server = await ServerProcess.start({ DATABASE_URL: connectionString, DATA_DIR: dataDir });
  closers.add(async () => {
    await server.stop();
  });
  await (await fetch(`${server.url}/healthz`)).text();
  const startMs = performance.now() - startedAt;
  return { url: server.url, token: await server.token(), pid: server.pid, startMs };
}

/** Megabytes that a process holds in memory; null where the system does not say. */
export async function memoryOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
