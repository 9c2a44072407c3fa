// Control, format (zero width, direction marks), private and unassigned characters, and separators
// other than the plain blank: names that look alike must be equal.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The form in which a user name is stored, looked up and rate limited; null for impossible names. */
export function canonicalUsername(input: string): string | null {
  const name = input.normalize('NFKC').trim().toLowerCase();
  return name === '' || name.length > 64 || INVISIBLE.test(name) ? null : name;
}
