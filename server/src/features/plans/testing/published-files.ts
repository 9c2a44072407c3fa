import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { publishedPlanFile, publishedPlanIndex } from '@meridian/contract/published-plans';
import type { PublishedPlanFile, PublishedPlanIndex } from '@meridian/contract/published-plans';
import type { FakeS3 } from '../../../objects/testing/fake-s3.ts';
import { INDEX_KEY } from '../plan-publisher.ts';

type PublicFiles = {
  read(key: string): Promise<string | null>;
  keys(): Promise<string[]>;
};

export function filesOfBucket(fake: FakeS3, prefix = 'site/'): PublicFiles {
  return {
    async read(key) {
      // A read of a real bucket lets other events happen first.
      await nextTurn();
      return fake.objects.get(prefix + key)?.bytes.toString() ?? null;
    },
    keys: async () => [...fake.objects.keys()].map((key) => key.slice(prefix.length)).toSorted(),
  };
}

export function filesOfFolder(dataDir: string): PublicFiles {
  const root = path.join(dataDir, 'objects');
  return {
    read: (key) => readFile(path.join(root, key), 'utf8').catch(() => null),
    async keys() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
        .toSorted();
    },
  };
}

/** Every file by its key, to compare one state with another. */
export async function contentsOf(files: PublicFiles): Promise<Map<string, string | null>> {
  const keys = await files.keys();
  return new Map(await Promise.all(keys.map(async (key) => [key, await files.read(key)] as const)));
}

export async function readIndex(files: PublicFiles): Promise<PublishedPlanIndex> {
  return publishedPlanIndex.parse(JSON.parse((await files.read(INDEX_KEY)) ?? 'null'));
}

/** The files that the index names; a missing one or one of another revision fails the test. */
export async function readPlanFiles(
  files: PublicFiles,
  { revision, plans }: PublishedPlanIndex,
): Promise<PublishedPlanFile[]> {
  const texts = await Promise.all(
    plans.map(({ id }) => files.read(`plans/${revision}/${id}.json`)),
  );
  return texts.map((text) => {
    const file = publishedPlanFile.parse(JSON.parse(text ?? 'null'));
    if (file.revision !== revision) throw new Error(`A file of ${file.revision} in ${revision}`);
    return file;
  });
}
