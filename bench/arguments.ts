import { readOption, splitArguments } from '../server/src/cli/arguments.ts';
import { listOf, oneOf } from '../server/src/config/parsers.ts';
import type { Pace } from './measure/interleave.ts';
import type { LoadPace } from './measure/throughput.ts';

export const USAGE = `Measures Meridian against bare SQL and a bare Fastify route, side by side, and against itself on
a small database. Starts everything it needs, ends it again, and writes bench/RESULTS.md.

  npm run bench

  --quick          shorter rounds: done within three minutes, with 300,000 posts instead of
                   1,000,000 when the machine is busy
  --ten-million    10,000,000 posts in the large database instead of 1,000,000
  --only NAMES     some parts, separated by commas: times, depth, people, imported, writes,
                   engine, throughput, desk, exports, bulk, streams,
                   browser; nothing is written to files then
  --help           this text
`;

const PARTS = [
  'times',
  'depth',
  'people',
  'imported',
  'writes',
  'engine',
  'throughput',
  'desk',
  'exports',
  'bulk',
  'streams',
  'browser',
] as const;
export type Part = (typeof PARTS)[number];

export type Plan = {
  mode: 'full' | 'quick';
  large: number;
  small: number;
  parts: readonly Part[];
  /** Of each comparison of answer times. */
  pace: Pace;
  load: LoadPace;
  warmUp: LoadPace;
  clicks: number;
  /** Posts that are cancelled by one bulk change. */
  bulk: number;
  /** How long posts change while streams are open. */
  streamSeconds: number;
  engine: EngineSizes;
  /** Everything is stopped and cleaned up when it takes longer. */
  limitMs: number;
};

export type EngineSizes = {
  /** Posts of the databases on which claims are compared. */
  small: number;
  large: number;
  held: number;
  /** How many are measured on each. */
  claims: number;
  /** Posts that are due at one instant. */
  due: number;
  quietSeconds: number;
  idleSeconds: number;
};

const MINUTE = 60_000;
const FULL = {
  mode: 'full',
  pace: { budgetMs: 5_000, perRound: 10, warmUp: 30 },
  load: { rounds: 10, roundMs: 500 },
  warmUp: { rounds: 1, roundMs: 500 },
  clicks: 20,
  bulk: 100_000,
  streamSeconds: 60,
  engine: { small: 100_000, claims: 50, due: 100_000, quietSeconds: 60, idleSeconds: 60 },
} as const;
const QUICK = {
  mode: 'quick',
  pace: { budgetMs: 400, perRound: 5, warmUp: 10 },
  load: { rounds: 4, roundMs: 200 },
  warmUp: { rounds: 1, roundMs: 100 },
  clicks: 3,
  bulk: 10_000,
  streamSeconds: 10,
  engine: { small: 20_000, claims: 15, due: 10_000, quietSeconds: 15, idleSeconds: 15 },
} as const;

const MOST_HELD = 1_000_000;

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  'ten-million': { type: 'boolean', default: false },
  only: { type: 'string', default: PARTS.join() },
  help: { type: 'boolean', default: false },
} as const;

/** Filling a database of a million posts takes too long for a quick run when others compute too. */
function largeOf(isQuick: boolean, isTen: boolean, isBusy: boolean): number {
  if (isTen) return 10_000_000;
  return isQuick && isBusy ? 300_000 : 1_000_000;
}

export function readArguments(args: readonly string[], isBusy: boolean): Plan | 'help' {
  const { values } = splitArguments({ args: [...args], options: OPTIONS });
  if (values.help) return 'help';
  const isTen = values['ten-million'];
  const wanted = readOption('only', listOf(oneOf(...PARTS)), values.only);
  const large = largeOf(values.quick, isTen, isBusy);
  const pace = values.quick ? QUICK : FULL;
  return {
    ...pace,
    small: 10_000,
    large,
    engine: { ...pace.engine, large, held: Math.min(large, MOST_HELD) },
    parts: PARTS.filter((part) => wanted.includes(part)),
    limitMs: (isTen ? 90 : 40) * MINUTE,
  };
}

export function isWhole({ parts }: Plan): boolean {
  return parts.length === PARTS.length;
}
