import type { HashGate } from '../src/features/auth/hash-gate.ts';
import { buildApp } from '../src/app.ts';
import { createAuthService } from '../src/features/auth/auth.service.ts';
import { createLoginThrottle } from '../src/features/auth/login-throttle.ts';
import { AppError } from '../src/http/app-error.ts';
import type { TestApp } from './app.ts';
import { callOn } from './call.ts';
import type { Call } from './call.ts';

/** The gate in front of password hashes, counting what passes. */
export type CountingGate = HashGate & { readonly count: number };

/** Lets the work be done. */
export function countingGate(): CountingGate {
  return gateThat((work) => work());
}

/** Spares the work: no password is ever right. For tests of what happens around it, hundreds of times. */
export function refusingGate(): CountingGate {
  // A login asks one question of the gate, whether the password is right.
  return gateThat(() => Promise.resolve(false as never));
}

/** Has no place left. */
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

/** The calls of the same app and database, with this gate in place of its own. */
export async function callsThrough(api: TestApp, gate: HashGate): Promise<Call> {
  const { context } = api;
  const { config, db, log } = context;
  const auth = createAuthService({
    db,
    gate,
    throttle: createLoginThrottle(db, config.loginLimits),
    session: config.session,
    onPasswordReplaced: async () => {},
  });
  const consoleDir = new URL('file:///no-console/');
  return callOn(await buildApp({ config, log, context: { ...context, auth }, consoleDir }));
}
