import { buildApp } from '../src/app.ts';
import type { HashGate } from '../src/features/passwords/passwords.ts';
import { createPasswordsService } from '../src/features/passwords/passwords.ts';
import { createSessionsService } from '../src/features/sessions/sessions.service.ts';
import { createSignInLimits } from '../src/features/sign-in-limits/sign-in-limits.ts';
import { AppError } from '../src/http/errors.ts';
import type { TestApp } from './app.ts';
import { callOn } from './call.ts';
import type { Call } from './call.ts';

/** No rate limit, for tests of what each sign-in does. */
export const UNLIMITED = {
  LOGIN_FAILURES: '1000',
  LOGIN_ATTEMPTS_PER_NETWORK: '10000',
  LOGIN_FAILURES_PER_NAME: '10000',
  LOGIN_FAILURES_IN_A_ROW: '10000',
};

/** A hash gate that counts its calls. */
export type CountingGate = HashGate & { readonly count: number };

/** Runs the work. */
export function countingGate(): CountingGate {
  return gateThat((work) => work());
}

/** Every password is wrong, without the time of a hash: for tests with hundreds of attempts. */
export function refusingGate(): CountingGate {
  // A sign-in runs one function through the gate: whether the password is right.
  return gateThat(() => Promise.resolve(false as never));
}

/** A gate whose queue is full. */
export function fullGate(): CountingGate {
  return gateThat(() => Promise.reject(new AppError('unavailable', { retryAfterSeconds: 5 })));
}

function gateThat(run: HashGate['run']): CountingGate {
  let count = 0;
  return {
    get count() {
      return count;
    },
    run(work) {
      count += 1;
      return run(work);
    },
  };
}

/** The calls of the same app and database with this hash gate instead of its own. */
export async function callsThrough(api: TestApp, hashGate: HashGate): Promise<Call> {
  const { config, db, log } = api.context;
  const limits = createSignInLimits(db, config.signInLimits);
  const context = {
    ...api.context,
    sessions: createSessionsService({ db, hashGate, limits, session: config.session }),
    passwords: createPasswordsService({ db, hashGate, limits, onPasswordReplaced: async () => {} }),
  };
  const consoleDir = new URL('file:///no-console/');
  return callOn(await buildApp({ config, log, context, consoleDir }));
}
