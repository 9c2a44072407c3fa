import { ERRORS } from '@meridian/contract/errors';
import { describe, expect, test } from 'vitest';
import { readPictureFile } from './picture-file.ts';
import { JPEG, png, pngChunk, WEBP, webp, webpChunk } from './testing/picture-files.ts';

const TYPE = ERRORS.media_type_refused.message;
const DAMAGED = 'The file is damaged or incomplete. Save the picture again and upload that';
const ANIMATED = 'Animated pictures cannot be posted. Upload a still picture';
const MORE = 'The file holds more than a picture. Save the picture again and upload that';
const FRAGMENTED = 'The file is in too many pieces. Save the picture again and upload that';
const LARGE = 'Pictures may have at most 10000 pixels on each side and 40 million in all';
const HTML = Buffer.from('<script>alert(1)</script>');
const ZIP = Buffer.from('PK\x03\x04');

const without = (bytes: Buffer, count: number) => bytes.subarray(0, bytes.length - count);
const flipped = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8((copy[at] ?? 0) ^ 0xff, at);
  return copy;
};
const LOCATION = Buffer.from('GPS 52.5200 13.4050');
const segment = (marker: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker, 0, data.length + 2]), data]);
const withSegments = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** 60 wide and 40 high, as stored. */
function wideJpeg(): Buffer {
  const wide = Buffer.from(JPEG);
  const frame = wide.indexOf(Buffer.from([0xff, 0xc0]));
  wide.writeUInt16BE(40, frame + 5);
  wide.writeUInt16BE(60, frame + 7);
  return wide;
}
const times = (count: number, piece: Buffer) => Buffer.alloc(count * piece.length, piece);
/** EXIF that says: turned by 90 degrees. */
const TURNED = segment(
  0xe1,
  Buffer.from('4578696600004d4d002a00000008000101120003000000010006000000000000', 'hex'),
);
const VP8X = webpChunk('VP8X', Buffer.from('0c000000000000000000', 'hex'));

describe('a picture file', () => {
  test.each([
    ['PNG', png({ width: 40, height: 30 }), { mimeType: 'image/png', width: 40, height: 30 }],
    ['JPEG', JPEG, { mimeType: 'image/jpeg', width: 1, height: 1 }],
    ['WebP', WEBP, { mimeType: 'image/webp', width: 1, height: 1 }],
    [
      'the largest that is allowed',
      png({ width: 10_000, height: 4_000 }),
      { mimeType: 'image/png', width: 10_000, height: 4_000 },
    ],
  ])('of a %s tells its type and size', (_, bytes, expected) => {
    expect(readPictureFile(bytes)).toEqual({ ...expected, bytes });
  });

  test('that a camera turned has the size that people see, and stays turned', () => {
    const { bytes, ...file } = readPictureFile(withSegments(wideJpeg(), TURNED));
    expect(file).toEqual({ mimeType: 'image/jpeg', width: 40, height: 60 });
    expect(readPictureFile(bytes)).toEqual({ ...file, bytes });
  });

  test('may have the fill bytes before a segment that JPEG allows', () => {
    const file = readPictureFile(withSegments(wideJpeg(), Buffer.from([0xff, 0xff])));
    expect(file).toMatchObject({ width: 60, height: 40, bytes: wideJpeg() });
  });

  test.each([
    ['PNG', png({ chunks: [pngChunk('tEXt', LOCATION), pngChunk('eXIf', LOCATION)] }), png()],
    ['PNG with a signed history', png({ chunks: [pngChunk('caBX', LOCATION)] }), png()],
    [
      'JPEG',
      withSegments(JPEG, segment(0xe1, LOCATION), segment(0xed, LOCATION), segment(0xfe, LOCATION)),
      JPEG,
    ],
    [
      'JPEG with the colors of a profile',
      withSegments(JPEG, segment(0xe2, Buffer.from('ICC_PROFILE'))),
      null,
    ],
    [
      'WebP',
      webp([
        VP8X,
        WEBP.subarray(12),
        ...['EXIF', 'XMP ', 'C2PA'].map((type) => webpChunk(type, LOCATION)),
      ]),
      webp([webpChunk('VP8X', Buffer.alloc(10)), WEBP.subarray(12)]),
    ],
  ])('of a %s keeps no metadata', (_, sent, expected) => {
    const { bytes } = readPictureFile(sent);
    expect(bytes).toEqual(expected ?? sent);
    expect(bytes.includes(LOCATION)).toBe(false);
  });

  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), TYPE],
    ['a text', Buffer.from('not a picture at all'), TYPE],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), TYPE],
    ['HTML', HTML, TYPE],
    ['GIF', Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), TYPE],
    ['PDF', Buffer.from('%PDF-1.7'), TYPE],
    ['a PNG that is only begun', png().subarray(0, 8), DAMAGED],
    ['a PNG without its end', without(png(), 12), DAMAGED],
    ['a PNG cut within its end', without(png(), 1), DAMAGED],
    ['a PNG with a flipped bit', flipped(png(), 45), DAMAGED],
    ['a PNG without a size', png({ width: 0 }), DAMAGED],
    ['an animated PNG', png({ chunks: [pngChunk('acTL', Buffer.alloc(8))] }), ANIMATED],
    ['a PNG and HTML', Buffer.concat([png(), HTML]), MORE],
    ['a PNG and a ZIP', Buffer.concat([png(), ZIP]), MORE],
    ['a PNG wider than allowed', png({ width: 10_001, height: 1 }), LARGE],
    ['a PNG of too many pixels', png({ width: 10_000, height: 4_001 }), LARGE],
    ['a bomb', png({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }), LARGE],
    ['a JPEG cut in its data', without(JPEG, 2), DAMAGED],
    ['a JPEG cut in its head', JPEG.subarray(0, 30), DAMAGED],
    ['a JPEG and HTML', Buffer.concat([JPEG, HTML]), MORE],
    ['a JPEG and a second one', Buffer.concat([JPEG, JPEG]), MORE],
    ['a JPEG whose segments are none', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0x20]), DAMAGED],
    [
      'a JPEG of nothing but restart markers',
      withSegments(JPEG, times(20_001, Buffer.from([0xff, 0xd0]))),
      FRAGMENTED,
    ],
    [
      'a JPEG of empty segments',
      withSegments(JPEG, times(20_001, segment(0xe0, Buffer.alloc(0)))),
      FRAGMENTED,
    ],
    [
      'a PNG of empty chunks',
      png({ chunks: Array.from({ length: 20_001 }, () => pngChunk('tEXt')) }),
      FRAGMENTED,
    ],
    [
      'a WebP of empty chunks',
      webp([times(20_001, webpChunk('XMP ', Buffer.alloc(0))), WEBP.subarray(12)]),
      FRAGMENTED,
    ],
    ['a WebP cut short', without(WEBP, 4), DAMAGED],
    [
      'a WebP whose first chunk has no flags',
      webp([webpChunk('VP8X', Buffer.alloc(0)), WEBP.subarray(12)]),
      DAMAGED,
    ],
    ['a WebP without a picture', webp([webpChunk('EXIF', Buffer.alloc(4))]), DAMAGED],
    ['an animated WebP', webp([webpChunk('ANIM', Buffer.alloc(6))]), ANIMATED],
    ['a WebP and HTML', Buffer.concat([WEBP, HTML]), MORE],
  ])('that is %s is refused', (_, bytes, message) => {
    expect(() => readPictureFile(bytes)).toThrow(message);
  });
});
