import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

function binaries() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const found = versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .filter((folder) => existsSync(join(folder, 'initdb')));
  if (found.length === 0)
    throw new Error('This needs a PostgreSQL server of Debian: apt-get install postgresql');
  return found.at(-1);
}

const isRoot = process.getuid() === 0;
/** PostgreSQL refuses to run as root. */
const asOwner = (program, args) =>
  isRoot ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args];

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

/** PostgreSQL servers of this run, each in a folder of its own. */
export async function openClusters(root) {
  const bin = binaries();
  const call = (program, ...args) =>
    run(...asOwner(join(bin, program), args), { cwd: '/', maxBuffer: 2 ** 28 });
  await mkdir(root, { recursive: true });
  if (isRoot) {
    const ids = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
    );
    await chown(root, ...ids);
  }
  await chmod(root, 0o755);
  const running = new Set();

  async function open(name, make, settings) {
    const data = join(root, name);
    const port = await freePort();
    await make(data);
    const lines = Object.entries({
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 100,
      fsync: 'off',
      ...settings,
    }).map(([key, value]) => `${key} = '${value}'`);
    await writeFile(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
    /** The postmaster, and its children by these options. */
    const pids = async (...options) => {
      const [postmaster] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
      const { stdout } = await run('pgrep', ['-P', postmaster, ...options]).catch(() => ({
        stdout: '',
      }));
      return [postmaster, ...stdout.split('\n').filter(Boolean)];
    };
    const cluster = {
      port,
      data,
      address: (database, at = port) => `postgres://meridian@127.0.0.1:${at}/${database}`,
      async start() {
        const child = spawn(...asOwner(join(bin, 'postgres'), ['-D', data]), {
          cwd: '/',
          stdio: 'ignore',
        });
        running.add(cluster);
        cluster.ended = new Promise((ended) => {
          child.on('close', ended);
        });
        await untilReady(cluster.address('postgres'));
      },
      /** Without it nobody writes what is committed asynchronously, so that a kill loses all of it. */
      async stopWalWriter() {
        const [, ...children] = await pids('-f', 'walwriter');
        for (const pid of children) process.kill(Number(pid), 'SIGSTOP');
      },
      /** All its processes at once, as when the machine is gone. */
      async kill() {
        for (const pid of await pids()) {
          try {
            process.kill(Number(pid), 'SIGKILL');
          } catch (error) {
            if (error.code !== 'ESRCH') throw error;
          }
        }
        await cluster.ended;
        running.delete(cluster);
        await rm(join(data, 'postmaster.pid'), { force: true });
      },
      async promote() {
        await call('pg_ctl', 'promote', '-D', data, '-w');
      },
      dump: (database, file) => call('pg_dump', '-Fc', '-f', file, cluster.address(database)),
      restore: (database, file) =>
        call('pg_restore', '--no-owner', '-d', cluster.address(database), file),
    };
    return cluster;
  }

  return {
    primary: (name, settings) =>
      open(
        name,
        (data) =>
          call('initdb', '-D', data, '-U', 'meridian', '-A', 'trust', '-E', 'UTF8', '--locale=C'),
        settings,
      ),
    /** Follows the server behind this port. */
    standbyOf: (name, { port, via }) =>
      open(
        name,
        async (data) => {
          await call(
            'pg_basebackup',
            '-D',
            data,
            '-d',
            `postgres://meridian@127.0.0.1:${port}/postgres`,
            '-X',
            'stream',
            '-c',
            'fast',
          );
          await run(...asOwner('touch', [join(data, 'standby.signal')]));
        },
        { primary_conninfo: `host=127.0.0.1 port=${via} user=meridian`, hot_standby: 'on' },
      ),
    async close() {
      for (const cluster of running) await cluster.kill();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function untilReady(connectionString) {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (attempt === 300) throw error;
      await new Promise((later) => {
        setTimeout(later, 100);
      });
    }
  }
}
