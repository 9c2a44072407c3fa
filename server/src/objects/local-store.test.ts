import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OBJECT_MAX_BYTES } from './objects.ts';
import { localStoreIn, temporaryFolder } from './testing/stores.ts';
import type { LocalStore } from './objects.ts';

let dataDir: string;
let objects: string;
let store: LocalStore;
let cleanUp: () => Promise<void>;

beforeEach(async () => {
  const temporary = await temporaryFolder();
  dataDir = temporary.folder;
  cleanUp = temporary.remove;
  objects = path.join(dataDir, 'objects');
  store = localStoreIn(dataDir);
});
afterEach(() => cleanUp());

const text = (value: string): Buffer => Buffer.from(value);

describe('the local store', () => {
  it('puts and gets', async () => {
    await store.put('plans/index.json', text('{}'));
    await store.put('pictures/été 1.PNG', text('png'));
    await store.put('top', text('x'));
    expect(await store.get('plans/index.json')).toEqual({
      bytes: text('{}'),
      contentType: 'application/json; charset=utf-8',
    });
    expect((await store.get('pictures/été 1.PNG'))?.contentType).toBe('image/png');
    expect((await store.get('top'))?.contentType).toBe('application/octet-stream');
    expect(await store.get('plans/none.json')).toBeNull();
    expect(await store.get('none/index.json')).toBeNull();
  });

  it('reports what the file system refuses as a failure of the store', async () => {
    // Too long a name for any account; a full disk or a missing right cannot be had by every one.
    const refused = localStoreIn(path.join(dataDir, 'x'.repeat(300)));
    const calls = [
      () => refused.put('a', text('x')),
      () => refused.get('a'),
      () => refused.delete('a'),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        name: 'ObjectStoreError',
        message: expect.stringContaining('ENAMETOOLONG'),
      });
    }
  });

  it('deletes one object, and nothing twice or outside', async () => {
    await store.put('media/a.png', text('a'));
    await store.put('media/b.png', text('b'));
    for (const key of ['media/a.png', 'media/a.png', 'none/a.png']) await store.delete(key);
    expect(await readdir(path.join(objects, 'media'))).toEqual(['b.png']);
    await expect(store.delete('../outside')).rejects.toThrow('Not an object key');
  });

  it('lies in the objects folder and leaves nothing else behind', async () => {
    await store.put('plans/a.json', text('1'));
    await store.put('plans/a.json', text('2'));
    expect(await readFile(path.join(objects, 'plans/a.json'), 'utf8')).toBe('2');
    expect(await readdir(path.join(objects, 'plans'))).toEqual(['a.json']);
  });

  it.each(['../x', '/etc/passwd', 'a/../../x', 'a\\..\\b', '.hidden', 'a//b', 'file:///x', 'a\0b'])(
    'refuses the key %j in every call',
    async (key) => {
      await expect(store.put(key, text('x'))).rejects.toThrow('Not an object key');
      await expect(store.get(key)).rejects.toThrow('Not an object key');
      expect(await readdir(dataDir)).toEqual([]);
    },
  );

  it('finds nothing where there is a folder, a pipe, or a file on the way', async () => {
    await store.put('folder/file', text('x'));
    execFileSync('mkfifo', [path.join(objects, 'pipe')]);
    expect(await store.get('folder')).toBeNull();
    expect(await store.get('folder/file/below')).toBeNull();
    expect(await store.get('pipe')).toBeNull();
    await expect(store.put('folder/file/below', text('x'))).rejects.toThrow('ENOTDIR');
  });

  it('refuses what is too large', async () => {
    await expect(store.put('a', Buffer.alloc(OBJECT_MAX_BYTES + 1))).rejects.toThrow('too large');
    expect(await readdir(dataDir)).toEqual([]);
    await store.put('a', Buffer.alloc(11));
    expect((await store.get('a', 11))?.bytes).toHaveLength(11);
    await expect(store.get('a', 10)).rejects.toThrow('a is too large');
  });

  it('never shows a part of a file while it is rewritten', async () => {
    const versions = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(300_000));
    await store.put('big.json', text(versions[0] ?? ''));
    const progress = { isWriting: true };
    const writing = (async () => {
      for (let round = 0; round < 60; round += 1) {
        await store.put('big.json', text(versions[round % 4] ?? ''));
      }
      progress.isWriting = false;
    })();
    let reads = 0;
    for (; progress.isWriting; reads += 1) {
      const found = (await store.get('big.json'))?.bytes.toString();
      expect(versions.includes(found ?? '')).toBe(true);
    }
    await writing;
    expect(reads).toBeGreaterThan(10);
  });
});

describe('links in the local store', () => {
  it('neither reads nor writes through a link that leads out', async () => {
    const outside = path.join(dataDir, 'outside');
    await mkdir(outside);
    await writeFile(path.join(outside, 'secret.json'), 'secret');
    await mkdir(objects);
    await symlink(outside, path.join(objects, 'folder'));
    await symlink('../outside', path.join(objects, 'relative'));
    await symlink(path.join(outside, 'secret.json'), path.join(objects, 'link.json'));
    await symlink('loop', path.join(objects, 'loop'));
    await symlink('.', path.join(objects, 'self'));

    const keys = ['folder/secret.json', 'relative/secret.json', 'link.json', 'loop/x'];
    expect(await Promise.all(keys.map((key) => store.get(key)))).toEqual(keys.map(() => null));
    await expect(store.put('folder/new.json', text('x'))).rejects.toThrow('leads out');
    await expect(store.put('relative/a/b.json', text('x'))).rejects.toThrow('leads out');
    expect(await readdir(outside)).toEqual(['secret.json']);
  });

  it('replaces a link by a file instead of writing to where it points', async () => {
    const victim = path.join(dataDir, 'victim');
    await writeFile(victim, 'untouched');
    await mkdir(objects);
    await symlink(victim, path.join(objects, 'link.json'));
    await store.put('link.json', text('new'));
    expect(await readFile(victim, 'utf8')).toBe('untouched');
    expect((await store.get('link.json'))?.bytes.toString()).toBe('new');
  });
});
