import { createRequire } from 'node:module';
import { createClosers } from '../src/background-task.ts';
import { readConfig } from '../src/config.ts';
import { startCounterTask } from '../src/counters/counters.ts';
import { openFoundation } from '../src/foundation.ts';
import { createLog } from '../src/log.ts';

// A process without the HTTP API: opens everything, closes everything, and must then end by itself.
const closers = createClosers();
const config = readConfig(process.env);
const log = createLog(config.logLevel);
const foundation = await openFoundation(config, { log, closers, say: () => {} });
const task = startCounterTask(foundation.db, log);
closers.add(() => task.stop());
const reason = await foundation.notReadyReason();
await closers.closeAll();

const loaded = Object.keys(createRequire(import.meta.url).cache);
process.stdout.write(
  JSON.stringify({
    reason,
    hasDriver: loaded.some((file) => file.includes('/node_modules/pg/')),
    hasHttp: loaded.some((file) => file.includes('/node_modules/fastify/')),
  }),
);
