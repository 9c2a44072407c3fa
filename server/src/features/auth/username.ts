// Control, format (zero width, direction marks), private and unassigned characters, and separators
// other than the plain blank: two names that look alike must not be two names.
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The one spelling under which a user name is stored, looked up and counted; null when it cannot be one. */
export function canonicalUsername(input: string): string | null {
  const name = input.normalize('NFKC').trim().toLowerCase();
  return name === '' || name.length > 64 || UNSEEN.test(name) ? null : name;
}
