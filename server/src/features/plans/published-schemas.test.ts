import { readFile } from 'node:fs/promises';
import { publishedPlanFile, publishedPlanIndex } from '@meridian/contract/published-plans';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import { createObjectStore } from '../../objects/object-store.ts';
import { QUICK, s3StoreOn } from '../../objects/testing/stores.ts';
import { INDEX_KEY, writeRevision } from './plan-publisher.ts';
import { plansOfRound } from './testing/numbered-plans.ts';

const SCHEMAS = {
  'plans-index': { schema: publishedPlanIndex, title: 'plans/index.json' },
  plan: { schema: publishedPlanFile, title: 'plans/{revision}/{planId}.json' },
} as const;
const AT = '2026-01-02T03:04:05.678Z';
type Name = keyof typeof SCHEMAS;

const fileOf = (name: Name) =>
  new URL(`../../../../docs/schemas/published-${name}.schema.json`, import.meta.url);

/** Formats are for readers: the contract does not say them in another way. */
const ajv = new Ajv2020({ validateFormats: false, allowUnionTypes: true });

async function validatorOf(name: Name) {
  return ajv.compile(JSON.parse(await readFile(fileOf(name), 'utf8')));
}

describe('the JSON schema of', () => {
  it.each(Object.keys(SCHEMAS) as Name[])('%s is made from the contract', async (name) => {
    const { schema, title } = SCHEMAS[name];
    // As input: readers ignore fields that they do not know, so more of them are allowed.
    const made = { title, ...z.toJSONSchema(schema, { io: 'input' }) };
    await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot(fileOf(name).pathname);
  });
});

it('the published files are valid by their schemas, also with a field of a later version', async () => {
  const fake = await startFakeS3();
  const { signal } = new AbortController();
  await writeRevision(s3StoreOn(fake), plansOfRound(1), AT, signal);
  await fake.close();
  const [isIndex, isPlan] = [await validatorOf('plans-index'), await validatorOf('plan')];
  expect(fake.objects.size).toBe(6);
  for (const [key, { bytes }] of fake.objects) {
    const content = JSON.parse(bytes.toString()) as object; // a published file is an object
    const isValid = key.endsWith(INDEX_KEY) ? isIndex : isPlan;
    expect([key, isValid(content), isValid({ ...content, later: 1 })]).toEqual([key, true, true]);
    expect(isValid({ ...content, formatVersion: 2 })).toBe(false);
  }
});

it('the addresses are those of the objects when CDN_BASE_URL is set as the guide does', async () => {
  const guide = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const settingOf = (name: string) =>
    new RegExp(`^${name}=(\\S+)`, 'm').exec(guide)?.[1] ?? `${name} is not in the guide`;
  const fake = await startFakeS3();
  const store = createObjectStore({
    ...fake.credentials,
    url: settingOf('OBJECT_STORE_URL').replace('//bucket', `//${fake.bucket}`),
    endpoint: fake.endpoint,
    allowPrivateNetwork: false,
    dataDir: '',
    cdnBaseUrl: settingOf('CDN_BASE_URL'),
    s3Limits: QUICK,
  });
  const { signal } = new AbortController();
  const { individualUrls } = await writeRevision(store, plansOfRound(1), AT, signal);
  await fake.close();
  // A host that delivers the whole bucket: the path of an address is the name of the object.
  const named = [...individualUrls, store.publicUrl(INDEX_KEY)].map((url) => new URL(url).pathname);
  expect(named.toSorted()).toEqual([...fake.objects.keys()].map((key) => `/${key}`).toSorted());
  expect(named).toContain('/prefix/plans/index.json');
});
