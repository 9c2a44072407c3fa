import { ERRORS, errorBody } from '@meridian/contract/errors';
import { meGet } from '@meridian/contract/me/account';
import { meMediaGet, meMediaUpload, mePostDelete, mePostUpdate } from '@meridian/contract/me/posts';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { catalogued } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { runRetention } from '../../jobs/retention.ts';
import { readPictureFile } from './picture-file.ts';
import { startMember } from './testing/member-calls.ts';
import { JPEG, WEBP, png, pngChunk, webp, webpChunk } from './testing/picture-files.ts';

const MB = 1024 * 1024;
/** A picture of exactly so many bytes. */
const pngOf = (bytes: number) => png({ padding: bytes - png().length });

const refusedAs = (response: { statusCode: number; json(): unknown }) => {
  const { code, message } = errorBody.parse(response.json());
  return { status: response.statusCode, code, message };
};

describe.each(EITHER)('the pictures of a member on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  const load = (id: string, headers: Record<string, string>) =>
    api.app.inject({ url: meMediaGet.path.replace('{id}', id), headers });
  const usage = async (headers: Record<string, string>) =>
    (await api.call(meGet, { headers })).answer.usage.storageBytes;
  const keyOf = async (id: string) =>
    (await api.db.one<{ key: string }>(sql`select object_key as key from media where id = ${id}`))
      .key;
  const retention = () => runRetention({ ...api.context, signal: new AbortController().signal });
  const passDays = (id: string, days: number) =>
    api.db.execute(sql`
      update media set unused_since = unused_since - make_interval(days => ${days}) where id = ${id}`);

  test.each([
    ['image/png', png({ width: 40, height: 30 }), 40, 30],
    ['image/jpeg', JPEG, 1, 1],
    ['image/webp', WEBP, 1, 1],
  ])(
    'are uploaded as %s, stored under a random key and loaded by their owner alone',
    async (type, bytes, width, height) => {
      const [me, other] = [await startMember(api), await startMember(api)];
      const response = await me.upload(bytes, type);
      expect(response.statusCode).toBe(201);
      const { media } = meMediaUpload.answer.parse(response.json());
      expect(media).toMatchObject({ mimeType: type, width, height, bytes: bytes.length });
      expect(await keyOf(media.id)).toMatch(/^media\/[\da-f]{48}\.(?:png|jpg|webp)$/);
      const mine = await load(media.id, me.headers);
      expect([mine.statusCode, mine.headers['content-type'], mine.rawPayload]).toEqual([
        200,
        type,
        bytes,
      ]);
      expect(mine.headers['content-security-policy']).toContain('sandbox');
      expect(refusedAs(await load(media.id, other.headers))).toEqual(catalogued('media_not_found'));
      expect(refusedAs(await load('../etc', me.headers))).toEqual(catalogued('not_found'));
      expect((await load(media.id, {})).statusCode).toBe(401);
      expect(await usage(me.headers)).toBe(bytes.length);
    },
  );

  test.each<[string, Buffer, string, object]>([
    [
      'of another type than declared',
      png(),
      'image/jpeg',
      {
        code: 'media_type_refused',
        message: 'The file is image/png, not image/jpeg. Upload it as what it is',
      },
    ],
    ['SVG', Buffer.from('<svg/>'), 'image/svg+xml', catalogued('media_type_refused')],
    ['SVG called PNG', Buffer.from('<svg/>'), 'image/png', catalogued('media_type_refused')],
    [
      'a form',
      Buffer.from('a=b'),
      'application/x-www-form-urlencoded',
      catalogued('media_type_refused'),
    ],
    ['empty', Buffer.alloc(0), 'image/png', { status: 415 }],
    [
      'a picture and a script',
      Buffer.concat([png(), Buffer.from('<script>')]),
      'image/png',
      { code: 'media_refused' },
    ],
    ['larger than the network takes', pngOf(2_000_001), 'image/png', catalogued('media_too_large')],
  ])(
    'that are %s are refused in a sentence, and nothing is stored',
    async (_, bytes, type, expected) => {
      const me = await startMember(api, { max_image_size_mb: 100 });
      expect(refusedAs(await me.upload(bytes, type))).toMatchObject(expected);
      expect(await usage(me.headers)).toBe(0);
    },
  );

  test('of 100 MB are refused before they have arrived', async () => {
    const me = await startMember(api);
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    // Listening on TCP, so never a string.
    const { port } = api.app.server.address() as AddressInfo;
    /** Sends the beginning of a body, and never its end. */
    const begin = (headers: Record<string, string>, bytes: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(
          {
            port,
            host: '127.0.0.1',
            method: 'POST',
            path: meMediaUpload.path,
            headers: { ...me.headers, 'content-type': 'image/png', ...headers },
          },
          ({ statusCode }) => {
            resolve(statusCode);
            request.destroy();
          },
        );
        request.on('error', reject);
        request.write(Buffer.alloc(bytes));
      });
    expect(await begin({ 'content-length': String(100 * MB) }, 1)).toBe(413);
    expect(await begin({ 'transfer-encoding': 'chunked' }, 2_000_001)).toBe(413);
    expect(await usage(me.headers)).toBe(0);
  });

  test('that are on their way are few of one member, and free their slots at the end', async () => {
    const [me, other] = [await startMember(api), await startMember(api)];
    // Bodies whose end never comes, until the test ends them.
    const slow = Array.from({ length: 4 }, () => new PassThrough());
    const waiting = slow.map((body) => me.upload(body));
    for (const body of slow) body.write(png().subarray(0, 8));
    // Read by the server: each has its slot.
    await expect.poll(() => slow.map(({ readableLength }) => readableLength)).toEqual([0, 0, 0, 0]);
    expect(refusedAs(await me.upload())).toEqual(catalogued('media_busy'));
    expect((await other.upload()).statusCode).toBe(201);
    for (const body of slow) body.end(png().subarray(8));
    expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual([
      201, 201, 201, 201,
    ]);
    expect((await me.upload()).statusCode).toBe(201);
  });

  test.each([
    [
      'max_image_size_mb',
      { max_image_size_mb: 1 },
      MB,
      'Your plan allows pictures of 1 MB. This one has 1.01 MB. Make it smaller',
    ],
    [
      'storage_mb',
      { storage_mb: 1, max_image_size_mb: 2 },
      MB,
      'Your plan has room for 1 MB of pictures. With this one you would have 1.01 MB. There is room again a day after you delete posts with pictures',
    ],
  ])('fill %s to the byte, and not past it', async (_, limits, size, message) => {
    const me = await startMember(api, limits);
    const over = refusedAs(await me.upload(pngOf(size + 1)));
    expect(over).toEqual(catalogued('limit_reached', message));
    expect((await me.upload(pngOf(size))).statusCode).toBe(201);
    expect(await usage(me.headers)).toBe(size);
  });

  test('that are larger than the plan allows are not looked into', async () => {
    const me = await startMember(api, { max_image_size_mb: 1 });
    const [over, within] = [Buffer.alloc(MB + 1, '<svg/>'), Buffer.alloc(MB, '<svg/>')];
    expect(refusedAs(await me.upload(over)).code).toBe('limit_reached');
    expect(refusedAs(await me.upload(within)).code).toBe('media_type_refused');
  });

  test('of -1 have no limit, and of 0 no room', async () => {
    const [free, none] = [
      await startMember(api, { storage_mb: -1 }),
      await startMember(api, { storage_mb: 0 }),
    ];
    expect((await free.upload()).statusCode).toBe(201);
    expect((await none.upload()).statusCode).toBe(409);
  });

  test('of twenty uploads at once never pass the limit', async () => {
    const me = await startMember(api, { storage_mb: 1 });
    const bytes = pngOf(MB / 4);
    const all = await Promise.all(Array.from({ length: 20 }, () => me.upload(bytes)));
    expect(all.filter(({ statusCode }) => statusCode === 201)).toHaveLength(4);
    expect(await usage(me.headers)).toBe(MB);
  });

  test('are deleted with their objects once no post has had them for a day', async () => {
    const me = await startMember(api);
    const [used, unused, dropped] = [await me.picture(), await me.picture(), await me.picture()];
    const [keyUsed, keyUnused] = [await keyOf(used), await keyOf(unused)];
    const images = [used, dropped].map((mediaId) => ({ mediaId, alt: '' }));
    const { post } = (await me.schedule({ images })).answer;
    for (const id of [used, unused]) await passDays(id, 2);
    await retention();
    expect((await load(used, me.headers)).statusCode).toBe(200);
    expect((await load(unused, me.headers)).statusCode).toBe(404);
    expect(await api.context.objects.get(keyUnused)).toBeNull();
    // An edit without the picture makes it unused, from then on.
    const params = { id: post.id };
    const body = { content: 'x', images: images.slice(0, 1), scheduledAt: post.scheduledAt };
    await api.call(mePostUpdate, { params, headers: me.headers, body });
    await retention();
    expect((await load(dropped, me.headers)).statusCode).toBe(200);
    await passDays(dropped, 2);
    await retention();
    expect((await load(dropped, me.headers)).statusCode).toBe(404);
    await api.call(mePostDelete, { params, headers: me.headers });
    await passDays(used, 2);
    await retention();
    expect([await usage(me.headers), await api.context.objects.get(keyUsed)]).toEqual([0, null]);
  });

  test('go with their member, objects too', async () => {
    const me = await startMember(api);
    const key = await keyOf(await me.picture());
    await api.db.execute(sql`delete from users where id = ${me.userId}`);
    await retention();
    expect(await api.context.objects.get(key)).toBeNull();
    expect(await api.db.many(sql`select from object_deletions`)).toEqual([]);
  });

  test('of which the store takes none leave nothing behind', async () => {
    const me = await startMember(api);
    const { objects } = api.context;
    const put = objects.put.bind(objects);
    const { ObjectStoreError } = await import('../../objects/objects.ts');
    objects.put = async () => {
      throw new ObjectStoreError('The disk is full');
    };
    const response = await me.upload();
    objects.put = put;
    expect(await usage(me.headers)).toBe(0);
    expect(refusedAs(response)).toEqual(catalogued('unavailable'));
  });
});

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
