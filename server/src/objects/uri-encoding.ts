/** RFC 3986: everything but letters, digits and `-._~`, as request signatures demand. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Each part on its own, so that the slashes between the parts stay slashes. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeRfc3986).join('/');
}
