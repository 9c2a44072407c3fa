import { ObjectStoreError } from './errors.ts';
import type { HttpAnswer } from './http-exchange.ts';

/** S3's answers are flat enough that a full XML parser would only be more to trust. */
function firstElement(xml: string, name: string): string | null {
  const match = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml);
  return match?.[1] === undefined ? null : decodeEntities(match[1]);
}

export function parseListPage(xml: string): { keys: string[]; next: string | null } {
  if (!xml.includes('<ListBucketResult')) throw new ObjectStoreError('The listing is no listing');
  const keys = Array.from(xml.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key]) => decodeEntities(key));
  const isTruncated = firstElement(xml, 'IsTruncated') === 'true';
  const next = firstElement(xml, 'NextContinuationToken');
  if (isTruncated && next === null) throw new ObjectStoreError('The listing ends in the middle');
  return { keys, next: isTruncated ? next : null };
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decodeEntities(text = ''): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi,
    (whole, hex, dec, name) => {
      const code = hex === undefined ? Number(dec) : Number.parseInt(String(hex), 16);
      if (hex !== undefined || dec !== undefined) {
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      }
      return ENTITIES[String(name)] ?? whole;
    },
  );
}

/** Says what S3 said, without echoing whatever else the answer holds. */
export function refusal(action: string, answer: HttpAnswer): ObjectStoreError {
  const code = s3Code(answer);
  const suffix = code === null ? '' : ` (${code})`;
  return new ObjectStoreError(`${action} was answered with status ${answer.status}${suffix}`, {
    status: answer.status,
  });
}

export function s3Code(answer: HttpAnswer): string | null {
  const code = firstElement(answer.body.toString('utf8'), 'Code');
  return code !== null && /^\w{1,64}$/.test(code) ? code : null;
}

export function isWorthAnotherTry(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}
