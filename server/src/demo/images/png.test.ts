import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { drawAvatar } from './avatar-files.ts';
import { encodePng } from './png.ts';
import { createRaster } from './raster.ts';
import type { Raster } from './raster.ts';

/** Reads what the encoder writes: true colour, every row with the Sub filter. */
function decode(png: Buffer): Raster {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const stride = width * 3;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    expect(rows[y * (stride + 1)]).toBe(1);
    for (let i = 0; i < stride; i += 1) {
      const left = i < 3 ? 0 : (pixels[y * stride + i - 3] ?? 0);
      pixels[y * stride + i] = (rows[y * (stride + 1) + 1 + i] ?? 0) + left;
    }
  }
  return { width, height, pixels };
}

test('a picture survives the way through a PNG', async () => {
  const raster = createRaster(37, 11);
  raster.pixels.set(createRandom('noise').bytes(raster.pixels.length));
  expect(decode(await encodePng(raster))).toEqual(raster);
});

test('an avatar is the same for the same person and differs between two', () => {
  expect(drawAvatar('amara', 'face')).toEqual(drawAvatar('amara', 'face'));
  expect(drawAvatar('amara', 'face')).not.toEqual(drawAvatar('kofi', 'face'));
});
