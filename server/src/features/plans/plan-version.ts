/** The versions a change may start from; null when any will do. */
export type ExpectedVersions = readonly number[] | null;

export function etagOf({ version }: { version: number }): string {
  return `"v${version}"`;
}

const OWN_TAG = /^"v(\d{1,9})"$/;

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
