import { authLogout, authMe } from '@meridian/contract/auth';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import { createClient, NoResponse } from './client.ts';
import type { Client } from './client.ts';
import type { Credentials } from './credentials.ts';
import { createProbe } from './probe.ts';
import { checkReads } from './reads.ts';
import { createReport } from './report.ts';
import type { Report } from './report.ts';
import { checkReadsAreClosed, checkSignIn } from './sign-in.ts';
import { checkWrites, leaveWritesOut } from './writes.ts';

export type CheckOptions = { url: URL; credentials: Credentials; withWrites: boolean };

/** Plays the calls of the specification against a server. Throws NoResponse when there is none. */
export async function checkUpstream(options: CheckOptions): Promise<Report> {
  const { url, credentials, withWrites } = options;
  const client = createClient(url);
  await client.send(authMe);
  const report = createReport();
  const probe = createProbe(client, report);
  await checkReadsAreClosed(probe);
  if (!(await checkSignIn(probe, client, credentials))) {
    for (const endpoint of SPECIFIED_CALLS) {
      if (endpoint.credential === 'bearer') {
        report.add('notTried', endpoint, 'there is no session: see the calls for signing in');
      }
    }
    return report;
  }
  // First, so that there is something to read of what it makes.
  if (withWrites) await checkWrites(probe);
  else leaveWritesOut(probe);
  await checkReads(probe);
  if (credentials.token === null) await endSession(client);
  return report;
}

/** As the console does: whether the server knows this call does not matter. */
async function endSession(client: Client): Promise<void> {
  try {
    await client.send(authLogout);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
  }
}
