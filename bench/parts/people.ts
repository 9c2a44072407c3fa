import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import { summarise } from '../measure/percentiles.ts';
import type { Row } from '../report/row.ts';
import type { Place } from '../stand/stand.ts';
import { growthRow, time } from './answer-times.ts';
import { postsPath } from './calls.ts';

const SECTION = 'Posts of the people found, against page 1 of all';
const KINDS = [
  { kind: 'person', name: 'one person', mark: 'typicalFilter' },
  { kind: 'typical', name: 'one in a hundred', mark: 'typicalFilter' },
  { kind: 'broad', name: 'everybody', mark: 'broadFilter' },
] as const;
/** Each finds everybody, and none of them is asked for elsewhere. */
const NEVER_ASKED = [
  '.posts.exampl',
  'posts.exam',
  'sts.example',
  'did:plc',
  'd:plc:',
  '.exa',
  'lc:',
];

export async function people(
  { large, small }: { large: Place; small: Place },
  pace: Pace,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { kind, name, mark } of KINDS) {
    const filtered = ({ facts, call }: Place) =>
      call({ path: postsPath({ userFilter: facts[kind] }) });
    const { found, all, before } = await interleave(
      {
        found: filtered(large),
        all: large.call({ path: postsPath({}) }),
        before: filtered(small),
      },
      pace,
    );
    rows.push(
      {
        section: SECTION,
        name,
        ours: time(found),
        against: { name: 'page 1', ...time(all) },
        mark,
      },
      growthRow(`user filter, ${name}`, found, before, small),
    );
  }
  return [...rows, await firstTime(large)];
}

/** What is found for many is kept from then on: the first to ask pays. */
async function firstTime({ call }: Place): Promise<Row> {
  const all = call({ path: postsPath({}) });
  const taken: { first: number[]; all: number[] } = { first: [], all: [] };
  for (const userFilter of NEVER_ASKED) {
    taken.first.push(await timed(call({ path: postsPath({ userFilter }) })));
    taken.all.push(await timed(all));
  }
  return {
    section: SECTION,
    name: 'everybody, asked for the first time',
    ours: time(summarise(taken.first)),
    against: { name: 'page 1', ...time(summarise(taken.all)) },
    mark: 'broadFilter',
  };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}
