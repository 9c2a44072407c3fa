import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AUDIT_ACTIONS } from '@meridian/contract/audit';
import { errorBody, ERRORS } from '@meridian/contract/errors';
import { publishedPlanFile, publishedPlanIndex } from '@meridian/contract/published-plans';
import { projectFiles, read, ROOT } from './tree.ts';

const DOCUMENTS = projectFiles(/\.md$/);
const PICTURE_MAX_BYTES = 600_000;

test('the server reads its environment through that table alone', () => {
  const strays = projectFiles(/^server\/src\/.*\.ts$/)
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /process\.env(\.|\[)/.test(read(file)));
  expect(strays).toEqual([]);
});

test('the table of error codes is the one of the contract, and so is the example', () => {
  const rows = [...read('docs/errors.md').matchAll(/^\| (\d+) \| `(\w+)` \| (.*?) \|$/gm)];
  const inCode = Object.entries(ERRORS).map(([code, { status, message }]) => [
    status,
    code,
    message,
  ]);
  expect(rows.map(([, status, code, message]) => [Number(status), code, message])).toEqual(inCode);
  const example = /^```json\n(.*)\n```$/m.exec(read('docs/errors.md'))?.[1] ?? '';
  const shown: unknown = JSON.parse(example);
  expect(errorBody.parse(shown)).toEqual(shown);
});

test.each(['console', 'me'])('with PORT set, Vite passes the calls of %s on to it', (page) => {
  const print = `console.log(JSON.stringify((await import('./vite.config.ts')).default.server.proxy))`;
  const shown = execFileSync(process.execPath, ['--input-type=module', '--eval', print], {
    cwd: path.join(ROOT, page),
    env: { ...process.env, PORT: '4255' },
    encoding: 'utf8',
  });
  const backends = Object.values(JSON.parse(shown) as Record<string, string>);
  expect(new Set(backends)).toEqual(new Set(['http://127.0.0.1:4255']));
});

/** Examples and commands are no prose: nothing in them is a link or a heading. */
const proseOf = (file: string) => read(file).replaceAll(/^```[\s\S]*?^```/gm, '');

/** The names that the headings of a document can be linked by, as the hosts of repositories make them. */
function anchorsOf(file: string): string[] {
  return [...proseOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

function isBroken(file: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const found = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
  if (!existsSync(path.join(ROOT, found))) return true;
  return anchor !== undefined && !anchorsOf(found).includes(anchor);
}

test('every link in the documentation resolves, and so does every anchor', () => {
  const broken = DOCUMENTS.flatMap((file) =>
    [...proseOf(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => isBroken(file, link))
      .map((link) => `${file} -> ${link}`),
  );
  expect(broken).toEqual([]);
});

test('every npm script the documentation names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = DOCUMENTS.flatMap((file) =>
    [
      ...read(file).matchAll(
        /\bnpm (?:(?:--prefix \S+ )?run (?:-s )?([a-z][\w:-]*)|(start|test)\b)/g,
      ),
    ].map(([, script, short]) => ({ file, script: script ?? short ?? '' })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
});

test('every file and folder of the project that the documentation names is there', () => {
  const named = DOCUMENTS.flatMap((file) =>
    [
      ...read(file)
        .replaceAll(/`(\d{4}-[\w-]+\.sql)`/g, '`server/src/db/migrations/$1`')
        .matchAll(
          /`((?:contract|demo|embedded|server|console|e2e|bench|guards|scripts|deploy|docs)\/[\w./-]+)`/g,
        ),
    ].map(([, name = '']) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ name }) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});

test("the README's pictures are light enough to be fetched with it, and there are no others", () => {
  const shown = [...read('README.md').matchAll(/(?:src|srcset)="(docs\/images\/.+?)"/g)].map(
    ([, file = '']) => file,
  );
  // The recording, and a still for readers who want no motion.
  expect(shown).toHaveLength(2);
  expect(projectFiles(/^docs\/images\//).toSorted()).toEqual(shown.toSorted());
  const heavy = shown.filter((file) => statSync(path.join(ROOT, file)).size > PICTURE_MAX_BYTES);
  expect(heavy).toEqual([]);
});

test('the README and the glossary are read in one sitting, and no word has two meanings', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
  const glossary = read('GLOSSARY.md');
  expect(glossary.split('\n').length).toBeLessThanOrEqual(60);
  const words = [...glossary.matchAll(/^\| ([a-z -]+) \| .+ \|$/gim)].map(([, word]) => word);
  expect(words.length).toBeGreaterThan(40);
  expect(new Set(words).size).toBe(words.length);
});

test('the guide to the audit log names every action', () => {
  const guide = read('docs/audit.md');
  const actions = Object.keys(AUDIT_ACTIONS);
  expect(actions.filter((action) => !guide.includes(`\`${action}\``))).toEqual([]);
});

test('the examples of published plans have the published formats, with every field', () => {
  const examples = [...read('docs/published-plans.md').matchAll(/^```json\n([\s\S]*?)^```/gm)].map(
    ([, json = '']): unknown => JSON.parse(json),
  );
  const [index, file] = examples;
  expect(examples).toHaveLength(2);
  expect(publishedPlanIndex.parse(index)).toEqual(index);
  expect(publishedPlanFile.parse(file)).toEqual(file);
});
