import { join } from 'node:path';
import { readConfig } from './config.ts';
import { startCounterTask } from './counters/counters.ts';
import { shownPath } from './config/parsers.ts';
import { openFoundation } from './foundation.ts';
import { createLog } from './log.ts';
import { runProcess } from './run-process.ts';
import { startEngineOf, startJobsOf } from './start.ts';
import type { StartOptions } from './start.ts';
import { StartError } from './start-error.ts';

async function start(env: NodeJS.ProcessEnv, options: StartOptions): Promise<void> {
  const config = readConfig(env, options);
  if (config.database.url === null) {
    throw new StartError(
      'An engine of its own needs DATABASE_URL: the embedded database serves one process, whose own engine is on.',
    );
  }
  if (!config.isEngineOn || config.network === 'off') {
    throw new StartError('Nothing to do: ENGINE is off or NETWORK is not set.');
  }
  const log = createLog(config.logLevel);
  const foundation = await openFoundation(config, { ...options, log });
  const counters = startCounterTask(foundation.db, log);
  options.closers.add(() => counters.stop());
  await startEngineOf(foundation, options.closers);
  await startJobsOf(foundation, options.closers);
  if (foundation.objects.kind === 'local') {
    options.say(
      `Pictures are read from ${shownPath(join(config.dataDir, 'objects'))}: where people upload to another folder, set OBJECT_STORE_URL for all processes.`,
    );
  }
  options.say(`The engine publishes to the ${config.network} network.`);
}

const args = process.argv.slice(2);
if (args.length === 0) await runProcess(start, 'Requests on the wire may finish');
else await (await import('./vault/rotate-keys.ts')).runEngineCommand(args);
