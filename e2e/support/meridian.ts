import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ADMIN, makeDataDir, ServerProcess } from '../../server/test/process.ts';

export { ADMIN };
export type Meridian = ServerProcess;
export type Running = { meridian: Meridian; dataDir: string; stop: () => Promise<void> };

type Settings = Record<string, string>;
type Template = { home: string; token: string };

/** Meridian on its own empty data folder, filled with the demo data unless told otherwise. */
export async function startMeridian(settings: Settings = {}): Promise<Running> {
  return startIn(await makeDataDir(), settings);
}

/**
 * Data folders of servers that were started once, signed in to, and stopped. A server on a copy starts in a
 * fraction of the time, and a test never sees the rows of another test.
 */
export class Templates {
  readonly #made = new Map<string, Promise<Template>>();

  /** Meridian on a copy of the folder that these settings and `fill` leave. */
  async start(settings: Settings, fill?: (running: Running) => Promise<void>): Promise<Running> {
    const key = JSON.stringify(settings);
    const making = this.#made.get(key) ?? makeTemplate(settings, fill);
    this.#made.set(key, making);
    const { home, token } = await making;
    const copy = await makeDataDir();
    await promisify(execFile)('cp', ['--archive', `${home}/.`, copy]);
    const running = await startIn(copy, settings);
    running.meridian.continueSession(token);
    return running;
  }

  async remove(): Promise<void> {
    for (const making of this.#made.values()) {
      await rm((await making).home, { recursive: true, force: true });
    }
  }
}

async function makeTemplate(
  settings: Settings,
  fill?: (running: Running) => Promise<void>,
): Promise<Template> {
  const running = await startIn(await makeDataDir(), settings, { keep: true });
  const token = await running.meridian.token();
  await fill?.(running);
  await running.stop();
  return { home: running.dataDir, token };
}

async function startIn(
  dataDir: string,
  settings: Settings,
  { keep = false } = {},
): Promise<Running> {
  const meridian = await ServerProcess.start({ ...settings, DATA_DIR: dataDir });
  return {
    meridian,
    dataDir,
    async stop() {
      await meridian.stop();
      if (!keep) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
