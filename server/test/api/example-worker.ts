import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stage, StagedUser } from '../engine/stage.ts';

const WORKER = fileURLToPath(new URL('../../../examples/worker.mjs', import.meta.url));

/** `examples/worker.mjs` in a process of its own, with access to these users on the host. */
export async function startExampleWorker(
  stage: Stage,
  host: Awaited<ReturnType<Stage['startHost']>>,
  users: readonly StagedUser[],
  errors: 'inherit' | 'pipe' = 'inherit',
): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-worker-'));
  stage.closeAtEnd(() => rm(folder, { recursive: true }));
  const tokens = await Promise.all(
    users.map(async ({ did }) => {
      const { authorization } = await host.authorize({ did });
      return [did, authorization?.replace('Bearer ', '')];
    }),
  );
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(Object.fromEntries(tokens)));
  const worker = spawn(process.execPath, [WORKER], {
    env: {
      ...process.env,
      DATABASE_URL: stage.connectionString,
      PDS_URL: host.url,
      PDS_TOKENS: join(folder, 'tokens.json'),
    },
    stdio: ['ignore', 'ignore', errors],
  });
  stage.closeAtEnd(async () => void worker.kill('SIGKILL'));
  return worker;
}
