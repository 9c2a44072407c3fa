import type { FastifyReply, FastifyRequest } from 'fastify';

/** The versions a change may start from; null when any will do. */
export type ExpectedVersions = readonly number[] | null;

export function etagOf({ version }: { version: number }): string {
  return `"v${version}"`;
}

/** Up to what a number counts exactly. */
const OWN_TAG = /^"v(\d{1,16})"$/;

/**
 * `If-Match: "v7"`. A header we cannot read names no version of ours, so nothing matches it: better
 * refused than taken for no condition at all.
 */
export function expectedVersions(ifMatch: string | undefined): ExpectedVersions {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  return ifMatch.split(',').flatMap((tag) => {
    const [, version] = OWN_TAG.exec(tag.trim()) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
}

export function expectedBy(request: FastifyRequest): ExpectedVersions {
  return expectedVersions(request.headers['if-match']);
}

/** Hands on what is answered, with its version in the header. */
export function tagged<T extends { version: number }>(reply: FastifyReply, entity: T): T {
  reply.header('etag', etagOf(entity));
  return entity;
}
