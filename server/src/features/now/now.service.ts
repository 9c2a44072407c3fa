import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import { CAUSES, isCause } from '@meridian/contract/causes';
import type { CauseOwner } from '@meridian/contract/cause-words';
import { DUE_COUNT_MAX } from '@meridian/contract/now';
import type { DuePosts, Handover, NowState } from '@meridian/contract/now';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import { sentenceOfHold } from '../engine/engine.service.ts';
import type { createEngineService } from '../engine/engine.service.ts';
import { keptBriefly } from './kept-briefly.ts';
import * as store from './now.store.ts';

type Engine = Pick<ReturnType<typeof createEngineService>, 'condition'>;

/** A post takes about a microsecond to count: the charts take at most a hundredth of the time. */
const KEPT_MS_PER_POST = 0.1;
const SLOTS = { hour: { minutes: 1, count: 60 }, day: { minutes: 15, count: 96 } };

export function createNowService(db: Database, engine: Engine) {
  const readDue = keptBriefly(
    () => store.readDue(db.byIndex, SLOTS),
    ({ day }) => countOf(day) * KEPT_MS_PER_POST,
  );
  return {
    async get(adminId: string): Promise<NowState> {
      const [condition, found, due] = await Promise.all([
        engine.condition(),
        store.readNow(db.byIndex, adminId),
        readDue(),
      ]);
      const { now, dayAgo, held, failed, visit, ...rest } = found;
      return {
        ...rest,
        held: held.map(({ hold, count }) => ({ hold, sentence: sentenceOfHold(hold), count })),
        failed: { from: dayAgo, to: now, byOwner: byOwner(failed) },
        engine: condition,
        nextHour: dueOf(due.now, SLOTS.hour, due.hour),
        nextDay: dueOf(due.now, SLOTS.day, due.day),
        visit: visit && { ...visit, to: now },
      };
    },

    async saveHandover(
      by: Author,
      text: string,
      expected: ExpectedVersions = null,
    ): Promise<Handover> {
      const audit = { by, action: 'handoverUpdate' } as const;
      const handover = await store.updateHandover(db, text, expected, audit);
      if (handover === null) throw new AppError('handover_changed_elsewhere');
      return handover;
    },
  };
}

function byOwner(failed: store.NowRow['failed']): NowState['failed']['byOwner'] {
  const countOfOwner = (owner: CauseOwner) =>
    failed
      .filter(({ cause }) => ownerOf(cause) === owner)
      .reduce((sum, { count }) => sum + count, 0);
  return CAUSE_OWNERS.map((owner) => ({ owner, count: countOfOwner(owner) }));
}

const countOf = (slots: DuePosts['slots']) => slots.reduce((sum, { count }) => sum + count, 0);

function dueOf(now: string, { minutes, count }: store.Slots, slots: DuePosts['slots']): DuePosts {
  const stepMs = minutes * 60_000;
  const to = (Math.floor(Date.parse(now) / stepMs) + count) * stepMs;
  const isCut = countOf(slots) >= DUE_COUNT_MAX;
  return {
    from: now,
    to: new Date(to).toISOString(),
    stepMinutes: minutes,
    // The last slot may not be whole.
    slots: isCut ? slots.slice(0, -1) : slots,
    countedTo: isCut ? (slots.at(-1)?.at ?? null) : null,
  };
}

/** A failure without a known cause is ours to look into. */
function ownerOf(cause: string | null): CauseOwner {
  return cause !== null && isCause(cause) ? CAUSES[cause].owner : 'us';
}
