import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib/root.mjs';
import { main, say } from './lib/say.mjs';

// npm run stats: how large the house is, always counted in the same way.

const CODE = /\.(?:ts|tsx|mjs|js|css|sql|html)$/;
const TESTS = /\.test\.|(?:^|\/)(?:test|testing)\/|^(?:e2e|hard|guards)\//;
/** Not the product: measurements, the comparison with the reference server, demonstration data. */
const BESIDE = /^(?:bench|lab|demo)\//;
const GENERATED = 'server/src/db/schema.sql';
const POSTS_PAGE = /^console\/src\/pages\/posts\/(?:PostsPage|list)\.tsx$/;

/** A file that is short, and small enough to stand in the only one that needs it. */
const SMALL_LINES = 120;
const HAS_A_ROLE =
  /\.(?:routes|service|store)\.ts$|(?:Page|\/list|\/detail|\/form)\.tsx$|\.(?:css|sql|html)$/;

const read = (file) => readFileSync(join(root, file), 'utf8');
const lineCount = (file) => read(file).split('\n').length - 1;
const total = (files) => files.reduce((sum, file) => sum + lineCount(file), 0);

await main(async () => {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const code = listed.stdout
    .split('\n')
    .filter((file) => CODE.test(file) && file !== GENERATED && !BESIDE.test(file))
    .filter((file) => existsSync(join(root, file)));
  const tests = code.filter((file) => TESTS.test(file));
  const product = code.filter((file) => !TESTS.test(file));
  const imports = new Map(product.map((file) => [file, importsOf(file, new Set(product))]));

  const schema = read(GENERATED);
  const count = (pattern) => schema.match(pattern)?.length ?? 0;
  const byFolder = Map.groupBy(product, (file) => file.split('/')[0]);
  const rows = [
    ['product lines', total(product)],
    ['product files', product.length],
    ...[...byFolder].map(([name, files]) => [`  ${name}`, `${total(files)} in ${files.length}`]),
    ['test lines', total(tests)],
    ['SQL functions', count(/^CREATE (?:OR REPLACE )?FUNCTION/gm)],
    ['triggers', count(/^CREATE (?:CONSTRAINT )?TRIGGER/gm)],
    ['migrations', code.filter((file) => file.includes('/db/migrations/')).length],
    ['small files, one importer beside', smallFiles(imports).length],
    [
      'files the posts page reaches',
      reachedBy(
        product.find((f) => POSTS_PAGE.test(f)),
        imports,
      ),
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) say(`${name.padEnd(width)}  ${value}`);
  if (process.argv.includes('--small')) say(`\n${smallFiles(imports).join('\n')}`);
});

/** Every file of the product that this one imports, and whether it does so lazily. */
function importsOf(file, product) {
  const found = new Map();
  const pattern = /(?:\bfrom\s*|\bimport\s*|(\bimport\())\s*'([^']+)'/g;
  for (const [, isLazy, specifier] of read(file).matchAll(pattern)) {
    const target = resolved(file, specifier, product);
    if (target) found.set(target, Boolean(isLazy));
  }
  return found;
}

function resolved(file, specifier, product) {
  if (specifier.startsWith('.'))
    return [join(dirname(file), specifier)].find((f) => product.has(f));
  const [, workspace, path] = /^@meridian\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (workspace === undefined) return undefined;
  const inside = `${workspace}/src/${path ?? 'index'}`;
  return [inside, `${inside}.ts`, `${inside}.tsx`].find((f) => product.has(f));
}

function smallFiles(imports) {
  return [...imports.keys()].filter((file) => {
    if (HAS_A_ROLE.test(file) || lineCount(file) >= SMALL_LINES) return false;
    const importers = [...imports].filter(([, targets]) => targets.has(file));
    const [[importer, targets] = []] = importers;
    return importers.length === 1 && dirname(importer) === dirname(file) && !targets.get(file);
  });
}

/** With itself, and without what is loaded only when it is needed. */
function reachedBy(page, imports) {
  const reached = new Set([page]);
  for (const file of reached) {
    for (const [target, isLazy] of imports.get(file)) if (!isLazy) reached.add(target);
  }
  return reached.size;
}
