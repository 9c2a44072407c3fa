import { readFile } from 'node:fs/promises';

const PACKAGE = new URL('../package.json', import.meta.url);

export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
  return version;
}
