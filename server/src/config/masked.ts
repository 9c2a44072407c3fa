/**
 * A refused value as a sentence may repeat it. User name and password of an address are masked, and
 * so is its query: both may hold secrets, and a malformed address may hold an unescaped one anywhere
 * before its last @.
 */
export function masked(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text) ?? [];
  return scheme + rest.replace(/^.*@/s, '***@').replace(/[?#].*$/s, (query) => `${query[0]}***`);
}
