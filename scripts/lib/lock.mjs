import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cacheFolder } from './root.mjs';
import { say } from './say.mjs';

const POLL_MS = 100;

/** Runs `work` while no other script of this checkout runs work of the same name. */
export async function withLock(name, work) {
  mkdirSync(cacheFolder, { recursive: true });
  const file = join(cacheFolder, `${name}.lock`);
  if (!tryLock(file)) {
    say('Waiting for another command that is doing the same.');
    while (!tryLock(file)) await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    removeIfAbandoned(file);
    return false;
  }
}

// Two scripts could both find the same dead holder, and one remove the other's fresh lock. The work
// is safe to do twice; the lock only spares the second time.
function removeIfAbandoned(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error; // released in this moment
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
