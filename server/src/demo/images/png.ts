import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Raster } from './raster.ts';

const deflateInThreadPool = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 3;
const FILTER_SUB = 1;

/** A true-colour PNG of 8 bits a channel. */
export async function encodePng(raster: Raster): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(raster.width, 0);
  header.writeUInt32BE(raster.height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = await deflateInThreadPool(filteredRows(raster), { level: 6 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each row as differences to the left neighbour: flat areas and skies become runs of zeros. */
function filteredRows({ width, height, pixels }: Raster): Buffer {
  const stride = width * BYTES_PER_PIXEL;
  const rows = Buffer.allocUnsafe((stride + 1) * height);
  let target = 0;
  for (let y = 0; y < height; y += 1) {
    const start = y * stride;
    rows[target] = FILTER_SUB;
    rows.set(pixels.subarray(start, start + BYTES_PER_PIXEL), target + 1);
    target += 1 + BYTES_PER_PIXEL;
    for (let i = start + BYTES_PER_PIXEL; i < start + stride; i += 1) {
      rows[target] = (pixels[i] ?? 0) - (pixels[i - BYTES_PER_PIXEL] ?? 0);
      target += 1;
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
