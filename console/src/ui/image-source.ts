/** An address a picture may be loaded from: https from anywhere, anything from this server itself. */
export function imageSource(source: string | null | undefined, base: string): string | undefined {
  if (source === null || source === undefined || source === '') return undefined;
  const url = URL.parse(source, base);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  const isOwn = url.origin === new URL(base).origin && url.origin !== 'null';
  return url.protocol === 'https:' || isOwn ? url.href : undefined;
}
