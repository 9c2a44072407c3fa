import { expect, test } from 'vitest';
import { csvLine } from './exports.ts';

test.each([
  [['plain', 1, -1, true, null, undefined], 'plain,1,-1,true,,'],
  [['=1+1', '+1', '-1', '@x'], `"'=1+1","'+1","'-1","'@x"`],
  [['\t=1', '\r=1', '\n=1', '＝1'], `"'\t=1","'\r=1","'\n=1","'＝1"`],
  [['a "b"', 'a,b', 'a\nb', "it's"], `"a ""b""","a,b","a\nb","it's"`],
  [[{ usd: 9.5 }, ['en', 'de']], `"{""usd"":9.5}","[""en"",""de""]"`],
  [[' x ', '日本語'], '" x ",日本語'],
])('%j', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});
