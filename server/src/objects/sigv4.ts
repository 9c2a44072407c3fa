import { createHmac } from 'node:crypto';
import { sha256Hex } from './sha256.ts';
import { encodeRfc3986 } from './uri-encoding.ts';

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
};

export type SigningRequest = {
  readonly method: string;
  /** Its path must already be encoded: S3 signs the path as it is sent, once encoded. */
  readonly url: URL;
  /** Further headers under the signature, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadSha256: string;
  readonly region: string;
  readonly credentials: Credentials;
  readonly now: Date;
};

/** AWS Signature Version 4 in the Authorization header; answers all headers to send. */
export function signS3Request(request: SigningRequest): Record<string, string> {
  const timestamp = request.now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const { accessKeyId, secretAccessKey, sessionToken } = request.credentials;
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    'x-amz-content-sha256': request.payloadSha256,
    'x-amz-date': timestamp,
    ...(sessionToken === null ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const signedHeaders = Object.keys(headers).toSorted().join(';');
  const scope = `${timestamp.slice(0, 8)}/${request.region}/s3/aws4_request`;
  const stringToSign = [
    'AWS4-HMAC-SHA256',
    timestamp,
    scope,
    sha256Hex(canonicalRequest(request, headers, signedHeaders)),
  ].join('\n');
  const signature = hmac(signingKey(secretAccessKey, scope), stringToSign).toString('hex');
  const credential = `Credential=${accessKeyId}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 ${credential},SignedHeaders=${signedHeaders},Signature=${signature}`,
  };
}

function canonicalRequest(
  { method, url, payloadSha256 }: SigningRequest,
  headers: Readonly<Record<string, string>>,
  signedHeaders: string,
): string {
  const headerLines = Object.entries(headers)
    .toSorted(byFirst)
    .map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}\n`);
  const query = [...url.searchParams]
    .map(([name, value]): [string, string] => [encodeRfc3986(name), encodeRfc3986(value)])
    .toSorted(byFirst)
    .map((pair) => pair.join('='));
  return [
    method,
    url.pathname,
    query.join('&'),
    headerLines.join(''),
    signedHeaders,
    payloadSha256,
  ].join('\n');
}

function signingKey(secretAccessKey: string, scope: string): Buffer {
  return scope
    .split('/')
    .reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

// By code unit, as the signature demands; a locale would order some names differently.
function byFirst([a]: [string, string], [b]: [string, string]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
