import { readFileSync } from 'node:fs';

const FILE = new URL('./common-passwords.txt', import.meta.url);
const END_OF_NOTICE = /^-+\n/m;

let known: ReadonlySet<string> | undefined;

/** Read when the first password is chosen: most processes never see one. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(entriesOf(readFileSync(FILE, 'utf8').replaceAll('\r\n', '\n')));
  return known;
}

function entriesOf(text: string): string[] {
  const [notice] = END_OF_NOTICE.exec(text) ?? [];
  if (notice === undefined) throw new Error('The list of common passwords is damaged');
  return text
    .slice(text.indexOf(notice) + notice.length)
    .trimEnd()
    .split('\n');
}
