import { existsSync } from 'node:fs';
import { run } from './run.mjs';
import { say, seconds } from './say.mjs';

/** Installs a browser where this account may; whether it did, its caller sees by looking again. */
export async function installWithApt(name, packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say(`Installing ${name} with apt-get.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const update = await run('apt-get', ['update', '-qq'], { env });
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const result = await run('apt-get', install, { env });
  if (result.ok) say(`${name} is installed (${seconds(update.ms + result.ms)}).`);
  else process.stderr.write(update.output + result.output);
}
