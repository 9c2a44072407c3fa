import type { EngineSizes } from '../../arguments.ts';
import type { MarkId } from '../../marks.ts';
import { quantile, summarise } from '../../measure/percentiles.ts';
import type { Summary } from '../../measure/percentiles.ts';
import type { Row, Unit } from '../../report/row.ts';
import { countText, time } from '../response-times.ts';
import type { Outcome } from './run-arm.ts';
import type { Arm } from './workers.ts';

const ARM_NAMES = {
  loop: 'a loop that only calls',
  graphile: 'graphile-worker and two updates',
  engine: 'the engine',
} as const satisfies Record<Arm, string>;

/** A figure by itself, held against a mark or not. */
export function plain(
  section: string,
  name: string,
  value: number,
  unit: Unit,
  mark: MarkId | null = null,
) {
  const judged = mark === null ? {} : { measured: value };
  return { section, name, ours: { value, unit }, against: null, mark, ...judged } satisfies Row;
}

/** Every arm by itself, then the engine against each of the others. */
export function burstRows(outcomes: readonly Outcome[]): Row[] {
  const posts = outcomes[0]?.posts ?? 0;
  const section = `${countText(posts)} posts due at one instant, hosts that respond in 50 ms`;
  const engine = outcomes.find(({ arm }) => arm === 'engine');
  return outcomes.flatMap((outcome) => {
    const { arm, seconds, lateness, workerCpu, postgresCpu } = outcome;
    const isEngine = arm === 'engine';
    const of = (what: string) => `${ARM_NAMES[arm]}: ${what}`;
    const late = summarise(lateness.map((ms) => ms / 1000));
    const against =
      engine === undefined || isEngine
        ? []
        : [
            {
              section,
              name: `the engine against ${ARM_NAMES[arm]}`,
              ours: { value: engine.posts / engine.seconds, unit: '/s' as const },
              against: { name: '', value: posts / seconds, unit: '/s' as const },
              mark: null,
            },
          ];
    return [
      plain(section, of('all out'), seconds, 's'),
      plain(section, of('posts'), posts / seconds, '/s', isEngine ? 'burst' : null),
      {
        ...plain(section, of('lateness'), late.p50, 's'),
        ours: { value: late.p50, p99: late.p99, unit: 's' as const },
      },
      plain(section, of('CPU of the workers, each post'), workerCpu, 'ms'),
      ...(arm === 'loop'
        ? []
        : [
            plain(
              section,
              of('CPU of PostgreSQL, each post'),
              postgresCpu,
              'ms',
              isEngine ? 'postgresCpu' : null,
            ),
          ]),
      ...exactlyOnce(section, of, outcome),
      ...against,
    ];
  });
}

function exactlyOnce(section: string, of: (what: string) => string, outcome: Outcome): Row[] {
  const { arm, duplicates, lost } = outcome;
  return [
    plain(
      section,
      of('duplicate or lost'),
      duplicates + lost,
      'posts',
      arm === 'engine' ? 'exactlyOnce' : null,
    ),
  ];
}

export function quietRows(outcome: Outcome): Row[] {
  const { lateness, workerCpu, postgresCpu } = outcome;
  const section = `${countText(outcome.posts)} posts, 100 a second`;
  const early = lateness.filter((ms) => ms < 0).length;
  const { p50, p99 } = summarise(lateness);
  return [
    plain(section, 'lateness, p50', p50, 'ms', 'quietMedian'),
    plain(section, 'lateness, p99', p99, 'ms', 'quietTail'),
    plain(section, 'lateness, most', quantile(lateness, 1), 'ms'),
    plain(section, 'early', early, 'posts', 'early'),
    plain(section, 'CPU of the workers, each post', workerCpu, 'ms'),
    plain(section, 'CPU of PostgreSQL, each post', postgresCpu, 'ms'),
    ...exactlyOnce(section, (what) => what, outcome),
  ];
}

export function claimRows(
  costs: Record<'small' | 'large' | 'held', Summary>,
  sizes: EngineSizes,
): Row[] {
  const section = 'Claim of 200 posts, CPU of PostgreSQL';
  return [
    {
      section,
      name: `among ${countText(sizes.large)} posts`,
      ours: time(costs.large),
      against: { name: `among ${countText(sizes.small)}`, ...time(costs.small) },
      mark: 'claimRows',
    },
    {
      section,
      name: `with ${countText(sizes.held)} posts held`,
      ours: time(costs.held),
      against: { name: 'with none', ...time(costs.large) },
      mark: 'claimHeld',
    },
  ];
}
