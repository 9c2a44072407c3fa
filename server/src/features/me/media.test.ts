import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { errorBody } from '@meridian/contract/errors';
import { meGet } from '@meridian/contract/me/account';
import { meMediaGet, meMediaUpload, mePostDelete, mePostUpdate } from '@meridian/contract/me/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { catalogued } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { runRetention } from '../../jobs/retention.ts';
import { startMember } from './testing/member-calls.ts';
import { JPEG, png, WEBP } from './testing/picture-files.ts';

const MB = 1024 * 1024;
/** A picture of exactly so many bytes. */
const pngOf = (bytes: number) => png({ padding: bytes - png().length });

const refusedAs = (response: { statusCode: number; json(): unknown }) => {
  const { code, message } = errorBody.parse(response.json());
  return { status: response.statusCode, code, message };
};

describe.each(EITHER)('the pictures of a person on %s', (engine) => {
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

  test('that are on their way are few of one person, and free their slots at the end', async () => {
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

  test('go with their person, objects too', async () => {
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
