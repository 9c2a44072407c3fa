// Names that look alike must be equal, so invisible characters and odd separators are not allowed.
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

export function canonicalUsername(input: string): string | null {
  const name = input.normalize('NFKC').trim().toLowerCase();
  return name === '' || name.length > 64 || INVISIBLE.test(name) ? null : name;
}
