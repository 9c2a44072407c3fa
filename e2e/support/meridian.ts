import { rm } from 'node:fs/promises';
import { ADMIN, makeDataDir, ServerProcess } from '../../server/test/process.ts';

export { ADMIN };
export type Meridian = ServerProcess;

/** Meridian on its own empty data folder, filled with the demo data. */
export async function startMeridian(): Promise<{ meridian: Meridian; stop: () => Promise<void> }> {
  const dataDir = await makeDataDir();
  const meridian = await ServerProcess.start({ DATA_DIR: dataDir });
  return {
    meridian,
    stop: async () => {
      await meridian.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
