import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planCreate, planPublish, planSetActive } from '@meridian/contract/plans';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertCurrency, planBody } from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import type { FakeS3 } from '../../objects/testing/fake-s3.ts';
import {
  filesOfBucket,
  filesOfFolder,
  readIndex,
  readPlanFiles,
} from './testing/published-files.ts';

describe.each(EITHER.flatMap((engine) => [[engine, 'local'] as const, [engine, 's3'] as const]))(
  'publishing on %s to %s',
  (engine, kind) => {
    let fake: FakeS3;
    let test: TestApp;
    let token: string;

    beforeEach(async () => {
      fake = await startFakeS3();
      test = await startTestApp(engine, { env: kind === 's3' ? bucketOf(fake) : {} });
      ({ token } = await test.signIn());
      await insertCurrency(test.db, 'usd');
      await insertCurrency(test.db, 'jpy', { useDecimals: false });
    });
    afterEach(async () => {
      await test.close();
      await fake.close();
    });

    const create = async (fields: Partial<PlanCreateBody>): Promise<Plan> =>
      (await test.call(planCreate, { token, body: planBody(fields) })).answer.plan;
    const publish = () => test.call(planPublish, { token });
    const files = () => (kind === 's3' ? filesOfBucket(fake) : filesOfFolder(test.dataDir));
    const base = kind === 's3' ? 'https://cdn.example/files' : '/cdn';

    it('writes what the public may know of active and visible plans, in their order', async () => {
      const late = await create({ displayOrder: 9, priceMonthly: { usd: 9.99, jpy: 1500 } });
      await create({ displayOrder: 1, isActive: false });
      await create({ displayOrder: 2, isVisible: false });
      const early = await create({ displayOrder: 3, tier: 'FREE' });

      const { status, answer } = await publish();
      expect(status).toBe(200);
      const index = await readIndex(files());
      const { formatVersion, revision, publishedAt, plans } = index;
      const urls = [early, late].map(({ id }) => `${base}/plans/${revision}/${id}.json`);
      expect(answer).toEqual({
        publishedCount: 2,
        // Absolute, also where the index has a path of this server.
        individualUrls: urls.map((url) => new URL(url, 'http://localhost:80').href),
      });
      expect(plans).toEqual([
        { ...publicPart(early), url: urls[0] },
        { ...publicPart(late), url: urls[1] },
      ]);
      expect(plans[1]).toMatchObject({ priceMonthly: { usd: 9.99, jpy: 1500 }, isPaid: true });
      const header = { formatVersion, revision, publishedAt };
      expect(await readPlanFiles(files(), index)).toEqual([
        { ...header, ...publicPart(early) },
        { ...header, ...publicPart(late) },
      ]);
      expect(await files().keys()).toHaveLength(3);
    });

    it('drops plans that are gone from the index, down to none, and keeps earlier files', async () => {
      const plan = await create({});
      await publish();
      const first = await readIndex(files());
      await test.call(planSetActive, { token, params: { id: plan.id }, body: { isActive: false } });
      // Nothing changes for the public before the next publish.
      expect(await readIndex(files())).toEqual(first);

      expect((await publish()).answer).toEqual({ publishedCount: 0, individualUrls: [] });
      expect((await readIndex(files())).plans).toEqual([]);
      expect(await readPlanFiles(files(), first)).toHaveLength(1);
    });

    it('responds over a real connection, and the named files can be read there', async () => {
      await create({});
      const origin = await test.app.listen({ port: 0, host: '127.0.0.1' });
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(origin + planPublish.path, { method: 'POST', headers });
      const { individualUrls } = planPublish.answer.parse(await response.json());
      expect([response.status, individualUrls.length]).toEqual([200, 1]);
      if (kind === 's3') return;
      const file = await fetch(individualUrls[0] ?? '');
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    });

    it('responds with 502 when the store fails', async () => {
      await create({});
      const objects = join(test.dataDir, 'objects');
      if (kind === 's3') fake.fault = () => ({ kind: 'status', status: 403 });
      // A file in place of the folder.
      else await writeFile(objects, '');
      expect(refusal(await publish())).toEqual(
        catalogued('publish_failed', 'Failed to publish plans'),
      );
      expect(test.logged.some((line) => line.includes('"code":"publish_failed"'))).toBe(true);

      fake.fault = () => null;
      if (kind === 'local') await rm(objects);
      expect((await publish()).answer.publishedCount).toBe(1);
    });
  },
);

function publicPart(plan: Plan): object {
  const { id, tier, displayName, description, priceMonthly, priceYearly, currency } = plan;
  const { limits, features, displayOrder, isPaid } = plan;
  const texts = { displayName, description, features };
  return { id, tier, ...texts, priceMonthly, priceYearly, currency, limits, displayOrder, isPaid };
}

function bucketOf(fake: FakeS3): Record<string, string> {
  return {
    OBJECT_STORE_URL: `s3://${fake.bucket}/site`,
    OBJECT_STORE_ENDPOINT: fake.endpoint,
    AWS_ACCESS_KEY_ID: fake.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fake.credentials.secretAccessKey,
    AWS_REGION: fake.credentials.region,
    CDN_BASE_URL: 'https://cdn.example/files',
  };
}
