import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findBinaries, optionsIn, SUPERUSER } from '@meridian/embedded-postgres/cluster';
import type { Binaries } from '@meridian/embedded-postgres/cluster';
import { chooseRunAs, unless } from '@meridian/embedded-postgres/folders';
import type { DatabaseHome } from '@meridian/embedded-postgres/folders';
import { launch } from '@meridian/embedded-postgres/postmaster';
import type { Postmaster, PostmasterSpec } from '@meridian/embedded-postgres/postmaster';
import { killPostgres, signalPostgres } from './postgres-processes.ts';

export type TcpServer = {
  connectionString: string;
  stop(): Promise<void>;
  /** Ends all its processes at once, as a power switch would. */
  kill(): Promise<void>;
  /** Lets all its processes stand still: connections stay open without a response. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** After it was stopped or killed. */
  startAgain(): Promise<void>;
};

const ROLE = 'meridian_test';
const START_ATTEMPTS = 50;

/**
 * An ordinary PostgreSQL server as an operator would bring one: another version where the machine
 * has one, reached over TCP with a password, by a role that is no superuser.
 */
export async function startTcpServer(
  folder: string,
  settings: Record<string, string>,
): Promise<TcpServer> {
  const home = await makeHome(folder);
  const binaries = (await machineBinaries()) ?? (await findBinaries(home));
  const superuserPassword = randomBytes(16).toString('hex');
  const passwordFile = join(home.folder, 'password');
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
  await give(passwordFile, home);
  const dataFolder = join(home.folder, 'data');
  const socketFolder = join(home.folder, 'run');
  for (const made of [dataFolder, socketFolder]) {
    await mkdir(made, { mode: 0o700 });
    await give(made, home);
  }
  const cluster = { ...home, binaries, dataFolder };
  const initdb = ['-D', dataFolder, '-U', SUPERUSER, '--encoding=UTF8', '--locale=C.UTF-8'];
  // Not synced, as it is thrown away.
  initdb.push('--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync');
  await promisify(execFile)(join(binaries.bin, 'initdb'), initdb, await optionsIn(cluster));

  const port = await freePort();
  const spec: PostmasterSpec = {
    ...cluster,
    settings: {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: socketFolder,
      ...settings,
    },
    onNotice: (message) => process.stderr.write(`${message}\n`),
  };
  let postmaster = await launchFree(spec);

  const password = randomBytes(16).toString('hex');
  const server = `127.0.0.1:${port}/postgres`;
  await createRole(`postgresql://${SUPERUSER}:${superuserPassword}@${server}`, password);
  return {
    connectionString: `postgresql://${ROLE}:${password}@${server}`,
    stop: () => postmaster.stop(),
    async kill() {
      await killPostgres(postmaster.pid);
      await postmaster.ended;
    },
    freeze: () => signalPostgres(postmaster.pid, 'SIGSTOP'),
    thaw: () => signalPostgres(postmaster.pid, 'SIGCONT'),
    async startAgain() {
      postmaster = await launchFree(spec);
    },
  };
}

/** What was killed may hold the folder a moment longer. */
async function launchFree(spec: PostmasterSpec): Promise<Postmaster> {
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const started = await launch(spec);
    if (started !== 'locked') return started;
  }
  throw new Error(`The cluster in ${spec.dataFolder} is in use`);
}

/** The newest of Debian's packages that Meridian works with. */
async function machineBinaries(): Promise<Binaries | undefined> {
  const names = (await unless(['ENOENT'], readdir('/usr/lib/postgresql'))) ?? [];
  const major = Math.max(...names.map(Number).filter((one) => one >= 15));
  return major > 0 ? { bin: `/usr/lib/postgresql/${major}/bin`, major } : undefined;
}

async function makeHome(folder: string): Promise<DatabaseHome> {
  const home = { folder, runAs: await chooseRunAs() };
  await mkdir(folder, { mode: 0o700 });
  await chmod(folder, 0o700);
  await give(folder, home);
  return home;
}

async function give(path: string, { runAs }: DatabaseHome): Promise<void> {
  if (runAs !== undefined) await chown(path, runAs.uid, runAs.gid);
}

async function createRole(connectionString: string, password: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(`create role ${ROLE} login createdb password '${password}'`);
    // So that a measurement can begin after a checkpoint. Before version 15 only a superuser may.
    await client.query(`
      do $$ begin
        if exists (select from pg_roles where rolname = 'pg_checkpoint') then
          grant pg_checkpoint to ${ROLE};
        end if;
      end $$`);
  } finally {
    await client.end();
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found');
  return address.port;
}
