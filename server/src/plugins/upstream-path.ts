const API_PATH = '/api/admin/';
/** Printable ASCII but the delimiters that a URL parser would read as a fragment or as a slash. */
const READABLE = /^[!-~]+$/;
const MISREAD = /[#\\]/;
/** What is left after one decoding: separators, control characters, or another encoded character. */
const DECODED_TWICE = /[/\\\p{Cc}]|%[0-9a-f]{2}/iu;
/** A segment of dots, with or without path parameters: `..;x` is `..` to some servers. */
const DOTS = /^\.{1,2}(?:;|$)/;

export type UpstreamTarget = { path: string; query: string };

/**
 * The path and query to ask the service behind for; null when any server could read the path as one
 * outside of the API. It is stricter than URL parsing because the two sides may decode differently.
 */
export function upstreamTarget(url: string): UpstreamTarget | null {
  if (!READABLE.test(url) || MISREAD.test(url)) return null;
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  const query = queryStart === -1 ? '' : url.slice(queryStart + 1);
  if (!path.startsWith(API_PATH)) return null;
  const segments = path.slice(API_PATH.length).split('/');
  return segments.every(isPlain) ? { path, query } : null;
}

function isPlain(segment: string): boolean {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    return false;
  }
  return decoded !== '' && !DECODED_TWICE.test(decoded) && !DOTS.test(decoded);
}
