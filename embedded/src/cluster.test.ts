import { expect, test } from 'vitest';
import { complaintOf } from './cluster.ts';

const failed = (...lines: string[]) =>
  Object.assign(new Error('Command failed'), { stderr: `${lines.join('\n')}\n` });

test.each([
  [
    failed(
      '2026-11-18 12:05:44.015 UTC [11757] FATAL:  could not write to file "base/4/1249": No space left on device',
      '2026-11-18 12:05:44.015 UTC [11757] STATEMENT:  CREATE DATABASE template0',
      'child process exited with exit code 1',
      'initdb: removing contents of data directory "/data/postgres/data18.init-1-x"',
    ),
    'could not write to file "base/4/1249": No space left on device',
  ],
  [
    failed('initdb: error: could not access directory "/x": Permission denied'),
    'could not access directory "/x": Permission denied',
  ],
  [
    failed(
      '2026-11-18 12:05:44.015 UTC [11757] ERROR:  could not extend file "base/1/2691": No space left on device',
      '2026-11-18 12:05:44.016 UTC [11757] PANIC:  cannot abort transaction 1, it was already committed',
    ),
    'could not extend file "base/1/2691": No space left on device',
  ],
  [failed('no such option.'), 'no such option'],
  [new Error('spawn initdb ENOENT'), 'spawn initdb ENOENT'],
])('PostgreSQL is quoted with what it complains of first: %#', (error, complaint) => {
  expect(complaintOf(error)).toBe(complaint);
});
