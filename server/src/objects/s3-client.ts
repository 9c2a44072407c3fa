import { setTimeout as delay } from 'node:timers/promises';
import { guardedLookup } from './address-guard.ts';
import { OBJECT_MAX_BYTES } from './delivery.ts';
import { ObjectStoreError, RefusedAddressError } from './errors.ts';
import { createHttpExchange } from './http-exchange.ts';
import type { HttpAnswer } from './http-exchange.ts';
import { isWorthAnotherTry, refusal } from './s3-answers.ts';
import type { S3Location } from './s3-location.ts';
import { sha256Hex } from './sha256.ts';
import { signS3Request } from './sigv4.ts';
import type { Credentials } from './sigv4.ts';

export type S3Limits = {
  readonly connectTimeoutMs: number;
  /** For one object, all tries and the pauses between them together. */
  readonly totalTimeoutMs: number;
  readonly tries: number;
  readonly firstPauseMs: number;
};
export const S3_LIMITS: S3Limits = {
  connectTimeoutMs: 3_000,
  totalTimeoutMs: 10_000,
  tries: 3,
  firstPauseMs: 200,
};

export type S3Call = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly signedHeaders?: Readonly<Record<string, string>>;
  /** Left out of the signature because proxies on the way may rewrite them. */
  readonly otherHeaders?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
};
export type S3Client = (call: S3Call) => Promise<HttpAnswer>;

/** Signed calls with time limits; tries again where another try may help. */
export function createS3Client(
  location: S3Location,
  credentials: Credentials,
  limits: S3Limits,
): S3Client {
  const exchange = createHttpExchange({
    lookup: guardedLookup(location.addresses),
    connectTimeoutMs: limits.connectTimeoutMs,
    maxAnswerBytes: OBJECT_MAX_BYTES,
  });

  const attempt = (call: S3Call, signal: AbortSignal): Promise<HttpAnswer> => {
    const { method, url, body = null } = call;
    // Signed afresh for every try: a signature carries its time.
    const signed = signS3Request({
      method,
      url,
      headers: call.signedHeaders ?? {},
      payloadSha256: sha256Hex(body ?? ''),
      region: location.region,
      credentials,
      now: new Date(),
    });
    const length = body === null ? {} : { 'content-length': String(body.byteLength) };
    return exchange({
      method,
      url,
      body,
      signal,
      headers: { ...call.otherHeaders, ...length, ...signed },
    });
  };

  return async (call) => {
    const limit = AbortSignal.timeout(limits.totalTimeoutMs);
    const signal = call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]);
    const action = `${call.method} ${call.url.pathname}`;
    for (let tried = 1; ; tried += 1) {
      const outcome = await attempt(call, signal).catch((cause: unknown) => failure(action, cause));
      if (!(outcome instanceof ObjectStoreError) && !isWorthAnotherTry(outcome.status)) {
        return outcome;
      }
      const error = outcome instanceof ObjectStoreError ? outcome : refusal(action, outcome);
      const isFinal =
        tried >= limits.tries || signal.aborted || error instanceof RefusedAddressError;
      if (isFinal) throw error;
      const pauseMs = limits.firstPauseMs * 2 ** (tried - 1) * (0.5 + Math.random());
      await delay(pauseMs, undefined, { signal }).catch(() => {
        // Out of time while waiting: the reason for the wait says more than the abort.
        throw error;
      });
    }
  };
}

function failure(action: string, cause: unknown): ObjectStoreError {
  if (cause instanceof RefusedAddressError) return cause;
  return new ObjectStoreError(`${action} got no answer`, { cause });
}
