import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planCreate, planPublish, planSetActive } from '@meridian/contract/plans';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertCurrency, planBody } from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import type { FakeS3 } from '../../objects/testing/fake-s3.ts';

type Published = { revision: string; publishedAt: string };

describe.each(ENGINES.flatMap((engine) => [[engine, 'local'] as const, [engine, 's3'] as const]))(
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
    const read = async (key: string) => {
      const object = await test.context.objects.get(key);
      // Its form is what these tests are about.
      return object === null ? null : (JSON.parse(Buffer.from(object.bytes).toString()) as object);
    };
    const readIndex = async () =>
      (await read('plans/index.json')) as Published & { plans: object[] };
    const urlOf = ({ id }: Plan) =>
      kind === 's3' ? `https://cdn.example/files/plans/${id}.json` : `/cdn/plans/${id}.json`;

    it('writes what the public may know of active and visible plans, in their order', async () => {
      const late = await create({ displayOrder: 9, priceMonthly: { usd: 9.99, jpy: 1500 } });
      await create({ displayOrder: 1, isActive: false });
      await create({ displayOrder: 2, isVisible: false });
      const early = await create({ displayOrder: 3, tier: 'FREE' });

      const { status, answer } = await publish();
      expect(status).toBe(200);
      expect(answer).toEqual({ publishedCount: 2, individualUrls: [urlOf(early), urlOf(late)] });

      const { revision, publishedAt, plans } = await readIndex();
      expect(plans).toEqual([publicPart(early), publicPart(late)]);
      expect(plans[1]).toMatchObject({ priceMonthly: { usd: 9.99, jpy: 1500 }, isPaid: true });
      for (const plan of [early, late]) {
        const file = await read(`plans/${plan.id}.json`);
        expect(file).toEqual({ ...publicPart(plan), revision, publishedAt });
      }
      expect(await test.context.objects.list('plans/')).toHaveLength(3);
    });

    it('takes away the files of plans that are gone, down to none', async () => {
      const plan = await create({});
      await publish();
      await test.call(planSetActive, { token, params: { id: plan.id }, body: { isActive: false } });
      // Nothing changes for the public before the next publish.
      expect((await readIndex()).plans).toHaveLength(1);

      expect((await publish()).answer).toEqual({ publishedCount: 0, individualUrls: [] });
      expect((await readIndex()).plans).toEqual([]);
      expect(await test.context.objects.list('plans/')).toEqual(['plans/index.json']);
    });

    it('answers over a real connection too', async () => {
      await create({});
      const origin = await test.app.listen({ port: 0, host: '127.0.0.1' });
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(origin + planPublish.path, { method: 'POST', headers });
      expect([answer.status, await answer.json()]).toMatchObject([200, { publishedCount: 1 }]);
    });

    it('answers 502 when the store fails', async () => {
      await create({});
      const objects = join(test.dataDir, 'objects');
      if (kind === 's3') fake.fault = () => ({ kind: 'status', status: 403 });
      // A file where the folder should be.
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
