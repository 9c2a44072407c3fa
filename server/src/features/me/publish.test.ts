import { mePostGet } from '@meridian/contract/me/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { createClosers } from '../../background-task.ts';
import { sql } from '../../db/sql.ts';
import { startEngineOf } from '../../start.ts';
import { inMinutes, startMember } from './testing/member-calls.ts';
import { JPEG, png } from './testing/picture-files.ts';

const blob = (mimeType: string, size: number): unknown =>
  expect.objectContaining({ $type: 'blob', mimeType, size });

describe.each(EITHER)('a post of a person on %s', (engine) => {
  const closers = createClosers();
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine, { env: { NETWORK: 'local' } });
    await api.signIn();
    await startEngineOf(api.context, closers);
  });
  afterAll(async () => {
    await closers.closeAll();
    await api.close();
  });

  test('goes out with two pictures, their alt texts and their shapes', async () => {
    const me = await startMember(api);
    const wide = png({ width: 40, height: 30 });
    const first = await me.picture(wide);
    const second = (await me.upload(JPEG, 'image/jpeg')).json<{ media: { id: string } }>().media.id;
    const images = [
      { mediaId: first, alt: 'Wide' },
      { mediaId: second, alt: 'Small' },
    ];
    const content = 'Two pictures 🌸 #spring';
    const { post } = (await me.schedule({ content, images, scheduledAt: inMinutes(0) })).answer;
    const get = async () =>
      (await api.call(mePostGet, { params: { id: post.id }, headers: me.headers })).answer.post;
    await expect.poll(async () => (await get()).status, { timeout: 60_000 }).toBe('COMPLETED');

    const { did } = await api.db.one<{ did: string }>(
      sql`select did from users where id = ${me.userId}`,
    );
    const published = await get();
    expect(published.url).toMatch(`/local-network/profile/${did}/post/`);
    expect(published.can).toEqual({ edit: false, cancel: false, delete: true, retry: false });
    const { record } = await api.db.one<{ record: object }>(sql`
      select record from local_records where did = ${did}`);
    expect(record).toMatchObject({
      text: content,
      facets: [{ index: { byteStart: 18, byteEnd: 25 }, features: [{ tag: 'spring' }] }],
      embed: {
        $type: 'app.bsky.embed.images',
        images: [
          {
            alt: 'Wide',
            aspectRatio: { width: 40, height: 30 },
            image: blob('image/png', wide.length),
          },
          {
            alt: 'Small',
            aspectRatio: { width: 1, height: 1 },
            image: blob('image/jpeg', JPEG.length),
          },
        ],
      },
    });
    const blobs = await api.db.many<{ bytes: Buffer }>(sql`
      select bytes from local_blobs where did = ${did} order by length(bytes)`);
    expect(blobs.map(({ bytes }) => bytes.toString('hex')).toSorted()).toEqual(
      [wide, JPEG].map((bytes) => bytes.toString('hex')).toSorted(),
    );
  });
});
