import { rm } from 'node:fs/promises';
import { ADMIN, makeDataDir, ServerProcess } from '../../server/test/process.ts';

export { ADMIN };
export type Meridian = ServerProcess;

/** Meridian on its own empty data folder, filled with the demo data unless told otherwise. */
export async function startMeridian(
  settings: Record<string, string> = {},
): Promise<{ meridian: Meridian; dataDir: string; stop: () => Promise<void> }> {
  const dataDir = await makeDataDir();
  const meridian = await ServerProcess.start({ ...settings, DATA_DIR: dataDir });
  return {
    meridian,
    dataDir,
    stop: async () => {
      await meridian.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
