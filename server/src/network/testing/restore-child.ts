import { createLog } from '../../log.ts';
import type { Account, RecordWrite } from '../network.ts';
import { openTestLive } from './test-live.ts';
import type { TestLiveOptions } from './test-live.ts';
import { openPatient } from '../../../test/patient.ts';

export type RestoreChildOptions = {
  connectionString: string;
  live: TestLiveOptions;
  account: Account;
  write: RecordWrite;
};

/** A process that, at every message, restores the session of an account and writes in its name. */
const options = JSON.parse(process.argv[2] ?? '') as RestoreChildOptions; // by `startRestoring`
// Many such processes start at once, on a machine that may be busy.
const connection = { connectionString: options.connectionString, connectionTimeoutMillis: 60_000 };
const db = openPatient(connection, 2);
const log = createLog('warn', { write: (line) => process.stderr.write(line) });
const live = await openTestLive({ db, connection, log }, options.live);
const put = () => live.network.putRecord(options.account, options.write);
process.on('message', () => void put().then((response) => process.send?.(response)));
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
