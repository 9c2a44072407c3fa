import { authLogin, authMe } from '@meridian/contract/auth';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import type { Client } from './client.ts';
import type { Credentials } from './credentials.ts';
import { NOT_SIGNED_IN, unknownId } from './probe.ts';
import type { Probe } from './probe.ts';

const WRONG = 'check-upstream-wrong';

/** Signs in. False when nothing else can be played, because there is no session. */
export async function checkSignIn(
  probe: Probe,
  client: Client,
  credentials: Credentials,
): Promise<boolean> {
  const { username, password, token } = credentials;
  const wrong = { username: WRONG, password: WRONG };
  await probe.isRefused(authLogin, { body: wrong }, { statuses: [401], of: 'to a wrong password' });
  const empty = { statuses: [400, 401, 422], of: 'to a body without username and password' };
  await probe.isRefused(authLogin, { body: {} }, empty);
  if (token !== null) {
    client.setToken(token);
    probe.report.add('notTried', authLogin, 'the right password: only a token was given');
  } else {
    const session = await probe.succeeds(authLogin, { body: { username, password } });
    if (typeof session?.['token'] !== 'string') return false;
    client.setToken(session['token']);
  }
  return (await probe.succeeds(authMe)) !== null;
}

/** Every read without a token, and the first with a wrong one. */
export async function checkReadsAreClosed(probe: Probe): Promise<void> {
  await probe.isRefused(authMe, { token: WRONG }, NOT_SIGNED_IN);
  for (const endpoint of SPECIFIED_CALLS.filter(({ method }) => method === 'GET')) {
    await probe.isRefused(
      endpoint,
      { token: null, params: { id: unknownId(null) } },
      NOT_SIGNED_IN,
    );
  }
}
