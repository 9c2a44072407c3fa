import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OBJECT_MAX_BYTES } from './delivery.ts';
import { contents, localStoreIn, temporaryFolder } from './testing/stores.ts';
import type { ObjectStore } from './types.ts';

let dataDir: string;
let objects: string;
let store: ObjectStore;
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
  it('puts, gets, lists and removes', async () => {
    await store.put('plans/index.json', text('{}'));
    await store.put('pictures/été 1.PNG', text('png'));
    await store.put('top', text('x'));
    expect(await store.get('plans/index.json')).toEqual({
      bytes: text('{}'),
      contentType: 'application/json; charset=utf-8',
    });
    expect((await store.get('pictures/été 1.PNG'))?.contentType).toBe('image/png');
    expect((await store.get('top'))?.contentType).toBe('application/octet-stream');
    expect(await store.list('')).toEqual(['pictures/été 1.PNG', 'plans/index.json', 'top']);
    expect(await store.list('plans/')).toEqual(['plans/index.json']);
    expect(await store.list('plans/in')).toEqual(['plans/index.json']);
    expect(await store.list('nothing/')).toEqual([]);
    await store.remove('plans/index.json');
    await store.remove('plans/index.json');
    await store.remove('never/was');
    expect(await store.get('plans/index.json')).toBeNull();
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
      await expect(store.remove(key)).rejects.toThrow('Not an object key');
      await expect(store.list(key)).rejects.toThrow('Not an object key');
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
    expect(await store.list('')).toEqual([]);
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
  it('neither reads nor writes nor lists through a link that leads out', async () => {
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
    await store.remove('folder/secret.json');
    expect(await store.list('')).toEqual([]);
    expect(await store.list('folder/')).toEqual([]);
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

async function swap(files: Record<string, string>): Promise<void> {
  const bytes = Object.entries(files).map(([name, value]) => [name, text(value)] as const);
  await store.replaceFolder?.('plans', new Map(bytes));
}

describe('the swap of a folder', () => {
  it('replaces all of it, keeps at most one older generation, and is plain to see on disk', async () => {
    for (const round of ['1', '2', '3', '4']) await swap({ 'index.json': round, [round]: round });
    expect(Object.fromEntries(await contents(store, ''))).toEqual({
      'plans/4': '4',
      'plans/index.json': '4',
    });
    expect(await readFile(path.join(objects, 'plans/index.json'), 'utf8')).toBe('4');
    expect(await readdir(path.join(objects, '.generations'))).toHaveLength(2);
    expect((await readdir(objects)).toSorted()).toEqual(['.generations', 'plans']);
    expect(await readlink(path.join(objects, 'plans'))).toMatch(/^\.generations\/plans@/);
  });

  it('never makes a file vanish, whatever moment a reader comes at', async () => {
    await swap({ 'index.json': '0' });
    const progress = { isSwapping: true };
    const swapping = (async () => {
      for (let round = 1; round <= 20; round += 1) await swap({ 'index.json': String(round) });
      progress.isSwapping = false;
    })();
    const readers = Array.from({ length: 50 }, async () => {
      let missed = 0;
      while (progress.isSwapping) if ((await store.get('plans/index.json')) === null) missed += 1;
      return missed;
    });
    const missed = await Promise.all(readers);
    await swapping;
    expect(missed.filter((times) => times > 0)).toEqual([]);
  });

  it('takes over a plain folder, as a restored backup would leave it', async () => {
    await store.put('plans/index.json', text('restored'));
    await swap({ 'index.json': 'new' });
    expect(Object.fromEntries(await contents(store, ''))).toEqual({ 'plans/index.json': 'new' });
  });

  it('works on when the data directory has been moved', async () => {
    await swap({ 'index.json': '1' });
    const moved = path.join(dataDir, 'moved');
    execFileSync('mv', [objects, path.join(dataDir, 'elsewhere')]);
    await mkdir(moved);
    execFileSync('mv', [path.join(dataDir, 'elsewhere'), path.join(moved, 'objects')]);
    expect((await localStoreIn(moved).get('plans/index.json'))?.bytes.toString()).toBe('1');
  });

  it.each([
    ['../x', 'file'],
    ['a/b', 'file'],
    ['', 'file'],
    ['plans', '../x'],
    ['plans', 'a/b'],
    ['plans', '.x'],
  ])('refuses the folder %j with the file %j', async (folder, file) => {
    const swapping = store.replaceFolder?.(folder, new Map([[file, text('x')]]));
    await expect(swapping).rejects.toMatchObject({ name: 'ObjectStoreError' });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('sweeps what a crash has left of an earlier swap', async () => {
    await swap({ 'index.json': '1' });
    const leftover = path.join(objects, '.generations', 'plans@leftover');
    await mkdir(leftover);
    await writeFile(path.join(leftover, 'index.json'), 'half');
    await swap({ 'index.json': '2' });
    expect(await readdir(path.join(objects, '.generations'))).not.toContain('plans@leftover');
    expect((await store.get('plans/index.json'))?.bytes.toString()).toBe('2');
  });

  it('leaves the old folder in force when it cannot begin', async () => {
    await store.put('plans/index.json', text('old'));
    await writeFile(path.join(objects, '.generations'), 'in the way');
    await expect(swap({ 'index.json': 'new' })).rejects.toThrow('ENOTDIR');
    expect((await store.get('plans/index.json'))?.bytes.toString()).toBe('old');
  });
});
