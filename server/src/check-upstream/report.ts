import type { Endpoint } from '@meridian/contract/endpoint';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';

export type CallReport = {
  /** `GET /api/admin/posts` */
  call: string;
  isPlayed: boolean;
  /** Why the console would not work with it. */
  differences: string[];
  /** What the console copes with. */
  notes: string[];
  /** What was left out, and why. */
  notTried: string[];
};

type Finding = 'differences' | 'notes' | 'notTried';

export type Report = {
  readonly calls: readonly CallReport[];
  played(endpoint: Endpoint): void;
  add(kind: Finding, endpoint: Endpoint, sentence: string): void;
};

/** Every call of the specification in its order, with what is found about it. */
export function createReport(): Report {
  const byName = new Map<string, CallReport>(
    SPECIFIED_CALLS.map(({ name, method, path }) => [
      name,
      { call: `${method} ${path}`, isPlayed: false, differences: [], notes: [], notTried: [] },
    ]),
  );

  function of({ name }: Endpoint): CallReport {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`${name} is no call of the specification`);
    return found;
  }

  return {
    calls: [...byName.values()],
    played(endpoint) {
      of(endpoint).isPlayed = true;
    },
    add(kind, endpoint, sentence) {
      const sentences = of(endpoint)[kind];
      if (!sentences.includes(sentence)) sentences.push(sentence);
    },
  };
}

export type Summary = { fits: boolean; played: number; differing: number; notPlayed: number };

export function summaryOf({ calls }: Report): Summary {
  const differing = calls.filter(({ differences }) => differences.length > 0).length;
  const played = calls.filter(({ isPlayed }) => isPlayed).length;
  return { fits: differing === 0, played, differing, notPlayed: calls.length - played };
}

export function textReport(report: Report): string {
  const parts = report.calls.flatMap(({ call, differences, notes, notTried }) => {
    const lines = [
      ...differences.map((text) => `  differs: ${text}`),
      ...notes.map((text) => `  note: ${text}`),
      ...notTried.map((text) => `  not tried: ${text}`),
    ];
    return lines.length === 0 ? [] : [`${call}\n${lines.join('\n')}\n`];
  });
  const { fits, played, differing, notPlayed } = summaryOf(report);
  const verdict = fits ? 'It fits what was played.' : 'It does not fit.';
  return `${parts.join('\n')}${parts.length === 0 ? '' : '\n'}${played} calls played, ${differing} differ, ${notPlayed} not played. ${verdict}\n`;
}

export function jsonReport(report: Report): string {
  return `${JSON.stringify({ ...summaryOf(report), calls: report.calls }, null, 2)}\n`;
}
