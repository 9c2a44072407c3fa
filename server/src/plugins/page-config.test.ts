import { readFile } from 'node:fs/promises';
import { pageConfig } from '@meridian/contract/page-config';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { configuredPage, pageConfigOf } from '../http/pages.ts';

const CONFIG = {
  cdnBaseUrl: `https://cdn.example/"><script>'$&$1</script>&amp;/`,
  imageSources: ['https://cdn.example'],
  canLoadPictures: true,
  networkUrl: 'https://network.example',
  passwordMinLength: 12,
};
const textOf = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test("the console's own page has room for it, whatever the values are", async () => {
  const source = await readFile(new URL('../../../console/index.html', import.meta.url), 'utf8');
  const html = configuredPage(source, CONFIG);
  const [, content = ''] = /<meta name="meridian-config" content="([^"<>]*)" \/>/.exec(html) ?? [];
  expect(pageConfig.parse(JSON.parse(textOf(content)))).toEqual(CONFIG);
  expect(html.replace(content, '')).toBe(source);
});

test('a page without room for it stays as it is', () => {
  const html = '<!doctype html><title>An older build</title>';
  expect(configuredPage(html, CONFIG)).toBe(html);
});

test.each([
  [{}, 8],
  [{ PASSWORD_MIN_LENGTH: '12' }, 12],
  // Passwords are then those of another server.
  [{ PASSWORD_MIN_LENGTH: '12', UPSTREAM_API: 'https://api.example.com' }, 8],
  [{ PASSWORD_MIN_LENGTH: '12', VITE_API_BASE_URL: 'https://api.example.com' }, 8],
])('the fewest characters of a password, with %j', (env, expected) => {
  expect(pageConfigOf(readConfig(env)).passwordMinLength).toBe(expected);
});
