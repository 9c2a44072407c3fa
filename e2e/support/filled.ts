import { rm } from 'node:fs/promises';
import { createDatabase, writeOut } from '../../bench/databases.ts';
import { openPatient } from '../../server/test/patient.ts';
import { makeDataDir, ServerProcess } from '../../server/test/process.ts';
import { Catalogue } from './catalogue.ts';
import type { Meridian } from './meridian.ts';
import { Rows } from './rows.ts';

/** Meridian with its engine on a copy of the filled database, which the stories may spoil. */
export async function startFilled(name: string): Promise<{
  meridian: Meridian;
  rows: Rows;
  catalogue: Catalogue;
  stop: () => Promise<void>;
}> {
  const address = process.env['STORY_DATABASE'];
  if (address === undefined) throw new Error('No database was filled for the stories');
  const connectionString = await copyOf(address, name);
  const DATA_DIR = await makeDataDir();
  const meridian = await ServerProcess.start({
    DATABASE_URL: connectionString,
    DATA_DIR,
    DEMO_DATA: 'off',
    NETWORK: 'local',
  });
  const db = openPatient({ connectionString }, 2);
  return {
    meridian,
    rows: new Rows(db, meridian, { isFilled: true }),
    catalogue: new Catalogue(db, meridian),
    async stop() {
      await db.close();
      await meridian.stop();
      await rm(DATA_DIR, { recursive: true, force: true });
    },
  };
}

/** A copy of a database that nobody is connected to. */
async function copyOf(original: string, name: string): Promise<string> {
  const server = new URL(original);
  const template = server.pathname.slice(1);
  server.pathname = '/postgres';
  const copy = await createDatabase(server.href, name, `template ${template} strategy file_copy`);
  await writeOut(copy);
  return copy;
}
