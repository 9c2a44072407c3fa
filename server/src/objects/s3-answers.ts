import { ObjectStoreError } from './errors.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** Says what S3 said, without echoing whatever else the answer holds. */
export function refusal(action: string, answer: HttpAnswer): ObjectStoreError {
  const code = s3Code(answer);
  const suffix = code === null ? '' : ` (${code})`;
  return new ObjectStoreError(`${action} was answered with status ${answer.status}${suffix}`, {
    status: answer.status,
  });
}

function s3Code(answer: HttpAnswer): string | null {
  return /<Code>(\w{1,64})<\/Code>/.exec(answer.body.toString('utf8'))?.[1] ?? null;
}

export function isWorthAnotherTry(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}
