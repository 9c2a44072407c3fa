import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type KnownKey = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
  readonly region: string;
};

const MAX_SKEW_MS = 15 * 60 * 1000;

/**
 * The receiving side of Signature Version 4, written from the raw request and sharing nothing with
 * the signer. Returns S3's error code, or null when the request is properly signed.
 */
export function verifySigV4(
  request: IncomingMessage,
  body: Buffer,
  known: KnownKey,
): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return 'AccessDenied';
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (parts === null) return 'AuthorizationHeaderMalformed';
  const [, accessKeyId = '', day = '', region = '', signedList = '', signature = ''] = parts;
  if (accessKeyId !== known.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== known.region) return 'AuthorizationHeaderMalformed';

  const sent = String(request.headers['x-amz-date']);
  const at = Date.parse(sent.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - at) < MAX_SKEW_MS) || !sent.startsWith(day)) {
    return 'RequestTimeTooSkewed';
  }
  const digest = createHash('sha256').update(body).digest('hex');
  if (request.headers['x-amz-content-sha256'] !== digest) return 'XAmzContentSHA256Mismatch';
  if (
    known.sessionToken !== null &&
    request.headers['x-amz-security-token'] !== known.sessionToken
  ) {
    return 'InvalidToken';
  }

  const signed = signedList.split(';');
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || name === 'content-type' || name.startsWith('x-amz-'),
  );
  if (mustBeSigned.some((name) => !signed.includes(name))) return 'AccessDenied';
  if (signed.join(';') !== signed.toSorted().join(';')) return 'SignatureDoesNotMatch';

  const [rawPath = '', rawQuery = ''] = (request.url ?? '').split('?');
  let canonical = `${request.method}\n${recode(rawPath, '/')}\n${canonicalQuery(rawQuery)}\n`;
  for (const name of signed) {
    canonical += `${name}:${String(request.headers[name]).trim().replaceAll(/\s+/g, ' ')}\n`;
  }
  canonical += `\n${signedList}\n${digest}`;

  const hashed = createHash('sha256').update(canonical, 'utf8').digest('hex');
  const text = `AWS4-HMAC-SHA256\n${sent}\n${day}/${region}/s3/aws4_request\n${hashed}`;
  const kDate = createHmac('sha256', `AWS4${known.secretAccessKey}`).update(day).digest();
  const kRegion = createHmac('sha256', kDate).update(region).digest();
  const kService = createHmac('sha256', kRegion).update('s3').digest();
  const kSigning = createHmac('sha256', kService).update('aws4_request').digest();
  const expected = createHmac('sha256', kSigning).update(text).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

function canonicalQuery(raw: string): string {
  if (raw === '') return '';
  return raw
    .split('&')
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .map((pair) =>
      pair
        .split('=')
        .map((side) => recode(side, ''))
        .join('='),
    )
    .toSorted()
    .join('&');
}

/** Decodes to bytes and encodes again by the letter of the rule, byte for byte. */
function recode(text: string, keep: string): string {
  let coded = '';
  for (const byte of Buffer.from(decodeURIComponent(text), 'utf8')) {
    const character = String.fromCharCode(byte);
    const isPlain = /[A-Za-z0-9._~-]/.test(character) || (keep !== '' && character === keep);
    coded += isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return coded;
}
