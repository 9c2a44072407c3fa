import { postList } from '@meridian/contract/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';

const AUTHORS = [
  { handle: 'a_b.test', did: 'did:plc:underscore' },
  { handle: 'axb.test', did: 'did:plc:letter' },
  { handle: 'per%cent.test', did: 'did:plc:percent' },
  { handle: String.raw`back\slash.test`, did: 'did:plc:backslash' },
  { handle: 'MixedCase.Test', did: 'did:web:Mixed.example' },
] as const;

describe.each(EITHER)("the posts' user filter on %s", (engine) => {
  const api = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    for (const author of AUTHORS) await insertPost(api.db, await insertUser(api.db, author));
  });

  const everybody = AUTHORS.map(({ handle }) => handle);
  test.each([
    ['part of a handle', 'xb.te', ['axb.test']],
    ['a whole handle', 'axb.test', ['axb.test']],
    ['a whole DID', 'did:plc:letter', ['axb.test']],
    ['part of a DID', 'plc:per', ['per%cent.test']],
    ['handle or DID', 'mixed', ['MixedCase.Test']],
    ['capitals for small letters', 'AXB.TEST', ['axb.test']],
    ['small letters for capitals', 'mixedcase.test', ['MixedCase.Test']],
    ['either in a DID', 'DID:WEB:mixed', ['MixedCase.Test']],
    ['surrounding spaces', '  axb ', ['axb.test']],
    ['a handle as it is written', '@axb.test', ['axb.test']],
    ['one @ only', '@@axb', []],
    ['what all have', '.test', everybody],
    ['nothing', '', everybody],
    ['only spaces', '   ', everybody],
    ['nobody', 'zzz', []],
    ['% as itself', '%', ['per%cent.test']],
    ['_ as itself', 'a_b', ['a_b.test']],
    [String.raw`\ as itself`, '\\', [String.raw`back\slash.test`]],
    [String.raw`\ before %`, String.raw`\%`, []],
    [String.raw`\ at the end`, 'back\\', [String.raw`back\slash.test`]],
    ['a quote', "'", []],
    ['other scripts', 'ｔｅｓｔ日本', []],
  ])('%s', async (_, userFilter, handles) => {
    const { answer } = await api.call(postList, { token, query: { userFilter } });
    expect(new Set(answer.posts.map(({ user }) => user?.handle))).toEqual(new Set(handles));
    expect(answer.total).toBe(handles.length);
  });
});
