import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../server/src/cli/arguments.ts';
import { isWhole, readArguments } from './arguments.ts';
import type { Plan } from './arguments.ts';

function planOf(args: string[], isBusy = false): Plan {
  const plan = readArguments(args, isBusy);
  if (plan === 'help') throw new Error('That is no plan');
  return plan;
}

describe('the plan', () => {
  test.each([
    [[], false, 1_000_000],
    [[], true, 1_000_000],
    [['--quick'], false, 1_000_000],
    [['--quick'], true, 300_000],
    [['--ten-million'], false, 10_000_000],
    [['--quick', '--ten-million'], true, 10_000_000],
  ])('of %j on a machine that is busy: %j has %d posts', (args, isBusy, posts) => {
    expect(planOf(args, isBusy)).toMatchObject({ large: posts, small: 10_000 });
  });

  test('of the engine has the sizes of the marks, smaller in a quick run', () => {
    expect(planOf(['--ten-million']).engine).toMatchObject({
      small: 100_000,
      large: 10_000_000,
      held: 1_000_000,
      due: 100_000,
      quietSeconds: 60,
    });
    expect(planOf(['--quick'], true).engine).toMatchObject({ held: 300_000, due: 10_000 });
  });

  test('of some parts is not whole', () => {
    expect(isWhole(planOf([]))).toBe(true);
    const some = planOf(['--only', 'depth,times']);
    expect(some.parts).toEqual(['times', 'depth']);
    expect(isWhole(some)).toBe(false);
  });

  test('cannot be made of what is unknown', () => {
    expect(() => planOf(['--fast'])).toThrow(ArgumentError);
    expect(() => planOf(['--only', 'depth,dreams'])).toThrow('--only');
    expect(readArguments(['--help'], false)).toBe('help');
  });
});
