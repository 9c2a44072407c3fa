import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A process of its own that owns the database of a folder and writes row after row to it. */
export function startOwner(dataDir: string) {
  const script = join(import.meta.dirname, 'owner-child.ts');
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const enough = Promise.withResolvers<void>();
  let postgresPid = 0;
  let acknowledged = 0;
  let wanted = Infinity;
  lines.on('line', (line) => {
    if (line.startsWith('ready ')) postgresPid = Number(line.slice('ready '.length));
    else acknowledged = Number(line);
    if (acknowledged >= wanted) enough.resolve();
  });
  lines.once('close', () => enough.reject(new Error('The owner ended before it wrote enough')));
  return {
    pid: child.pid,
    /** Settles once that many rows were acknowledged. */
    rows(count: number): Promise<void> {
      wanted = count;
      return enough.promise;
    },
    /** kill -9, of PostgreSQL too when asked; returns how many rows were acknowledged by then. */
    async kill({ withPostgres = false } = {}): Promise<number> {
      child.kill('SIGKILL');
      if (withPostgres) process.kill(postgresPid, 'SIGKILL');
      await gone;
      return acknowledged;
    },
  };
}
