import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pictureTypeOf } from './picture-type.ts';
import { PNG } from './testing/picture-host.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  );
const box = (size: number, ...brands: string[]) =>
  bytes([0, 0, 0, size], 'ftyp', brands[0] ?? '', [0, 0, 0, 0], ...brands.slice(1));

test.each([
  ['a PNG', PNG, 'image/png'],
  ['a JPEG', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF'), 'image/jpeg'],
  ['a GIF of 1987', bytes('GIF87a', [1, 0, 1, 0]), 'image/gif'],
  ['a GIF of 1989', bytes('GIF89a', [1, 0, 1, 0]), 'image/gif'],
  ['a WebP', bytes('RIFF', [4, 0, 0, 0], 'WEBPVP8 '), 'image/webp'],
  ['an AVIF', box(20, 'avif', 'mif1'), 'image/avif'],
  ['an AVIF sequence', box(20, 'avis', 'msf1'), 'image/avif'],
  ['an AVIF by its compatible brand', box(24, 'mif1', 'miaf', 'avif'), 'image/avif'],
  ['a HEIC', box(20, 'heic', 'mif1'), null],
  ['a brand after the end of its box', box(20, 'mif1', 'miaf', 'avif'), null],
  ['a brand in the place of the version', bytes([0, 0, 0, 16], 'ftypmif1avif'), null],
  ['a box cut short', bytes([0, 0, 0, 32], 'ftyp'), null],
  ['an SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  ['an SVG after spaces', bytes('\n  <?xml version="1.0"?><svg/>'), null],
  ['a page', bytes('<!doctype html><img src=x>'), null],
  ['a page that names a PNG', bytes('<html>\x89PNG\r\n\x1a\n'), null],
  ['half a signature', bytes('\x89PNG'), null],
  ['a WAV', bytes('RIFF', [4, 0, 0, 0], 'WAVEfmt '), null],
  ['a compressed PNG', gzipSync(PNG), null],
  ['nothing', Buffer.alloc(0), null],
])('%s is %s', (_, content, type) => {
  expect(pictureTypeOf(content)).toBe(type);
});
