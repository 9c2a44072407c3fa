import { CAUSES, isCause, operatorSentence } from '@meridian/contract/causes';
import { FAILURE_MESSAGES, FAILURES_MAX } from '@meridian/contract/failures';
import type { FailureGroup, FailureReport, FailureWindow } from '@meridian/contract/failures';
import { isRetryable } from '@meridian/contract/retries';
import type { Database } from '../../db/database.ts';
import * as store from './failures.store.ts';
import type { GroupRow } from './failures.store.ts';

/** The length of each window, and the bars of its trend. */
type Span = { hours: number; bars: number };
const SPANS: Record<FailureWindow, Span> = {
  '24h': { hours: 24, bars: 24 },
  '7d': { hours: 7 * 24, bars: 28 },
  '30d': { hours: 30 * 24, bars: 30 },
};

/** Every open page of failures asks again with each change of any post; few of those are failures. */
export function createFailuresService(db: Database) {
  const kept = (window: FailureWindow) =>
    keptWhile(
      () => store.readVersion(db),
      () => makeReport(db, SPANS[window]),
    );
  const reports = { '24h': kept('24h'), '7d': kept('7d'), '30d': kept('30d') };
  return { report: (window: FailureWindow): Promise<FailureReport> => reports[window]() };
}

async function makeReport(db: Database, { hours, bars }: Span): Promise<FailureReport> {
  const period = await store.readPeriod(db, hours);
  const rows = await store.groupFailures(db.byIndex, period, bars);
  const whole = rows.filter(({ bar }) => bar === null);
  const sampleIds = whole.flatMap(({ samples }) => samples);
  const samples = await store.listSamples(db, sampleIds);
  const total = whole.reduce((sum, { count }) => sum + count, 0);
  const isCapped = total >= FAILURES_MAX;
  const groups = whole.map((row): FailureGroup => {
    const { bar: _, open, samples: ids, ...group } = row;
    const parts = rows.filter(({ cause, error }) => cause === row.cause && error === row.error);
    const countOf = (bar: number) => parts.find((part) => part.bar === bar)?.count ?? 0;
    return {
      ...group,
      ...wordsOf(row),
      retryable: isRetryable(row.cause) ? open : 0,
      share: row.count / total,
      trend: Array.from({ length: bars }, (_unused, index) => countOf(index + 1)),
      samples: ids.flatMap((id) => samples.filter((sample) => sample.id === id)),
    };
  });
  return {
    ...period,
    ...(isCapped && { from: whole.map(({ firstAt }) => firstAt).toSorted()[0] ?? period.from }),
    isCapped,
    total,
    groups: groups.toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count),
  };
}

/** Unknown texts first, then the rest of them, then the causes of the catalogue. */
function rankOf({ cause, error }: FailureGroup): number {
  if (cause !== null) return 2;
  return error === null ? 1 : 0;
}

/** A cause that is in no list is ours to look into. */
function wordsOf({ cause, error }: GroupRow): Pick<FailureGroup, 'owner' | 'sentence' | 'advice'> {
  if (cause !== null && isCause(cause)) {
    const { owner, advice } = CAUSES[cause];
    return { owner, sentence: operatorSentence(cause), advice };
  }
  const sentence = error ?? FAILURE_MESSAGES.otherTexts;
  return { owner: 'us', sentence, advice: FAILURE_MESSAGES.unknownAdvice };
}

/**
 * Makes something again only when its version has changed. The version is asked for first: what was made
 * from newer data than it tells is made once more, never kept too long. Callers at one time share one.
 */
export function keptWhile<T>(versionOf: () => Promise<string>, make: () => Promise<T>) {
  let kept: { version: string; made: Promise<T> } | null = null;
  return async (): Promise<T> => {
    const version = await versionOf();
    if (kept?.version === version) return kept.made;
    const next = { version, made: make() };
    kept = next;
    // A failure is told to those who wait for it, and is not kept.
    next.made.catch(() => {
      if (kept === next) kept = null;
    });
    return next.made;
  };
}
