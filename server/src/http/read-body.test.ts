import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readBody } from './bodies.ts';

describe('readBody', () => {
  test.each([
    ['nothing', []],
    ['one piece', ['{"a":1}']],
    ['many pieces', Array.from({ length: 5_000 }, (_, index) => String(index % 10))],
    ['pieces that double', Array.from({ length: 12 }, (_, index) => 'ä'.repeat(2 ** index))],
  ])('puts together %s', async (_, pieces) => {
    const body = Readable.from(
      pieces.map((piece) => Buffer.from(piece)),
      { objectMode: false },
    );
    expect((await readBody(body, 100_000)).toString()).toBe(pieces.join(''));
  });

  test('takes as much as is allowed, and not a byte more', async () => {
    expect(await readBody(Readable.from([Buffer.alloc(60), Buffer.alloc(40)]), 100)).toHaveLength(
      100,
    );
    const tooMuch = readBody(Readable.from([Buffer.alloc(60), Buffer.alloc(41)]), 100);
    await expect(tooMuch).rejects.toMatchObject({ code: 'body_too_large' });
  });

  test('ends when the client hangs up', async () => {
    const body = new PassThrough();
    const reading = readBody(body, 100);
    body.write('{');
    body.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject({ code: 'malformed_json' });
  });
});
