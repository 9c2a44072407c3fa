import { newId } from '../identifiers.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { lengthOf } from '../rich-text.ts';
import { Json } from '../rows.ts';
import type { PostRow } from '../rows.ts';
import { HOUR, iso, MINUTE } from '../times.ts';
import type { DemoUser } from '../users.ts';
import { createComposer } from './compose.ts';
import type { Content } from './compose.ts';
import { outcomeOf, processing } from './outcome.ts';
import type { Draft, Outcome } from './outcome.ts';
import { makeSlots, writtenAt } from './schedule.ts';

/** Minutes before now at which the posts being published right now were due. */
const IN_PROGRESS = [0, 0, 1, 1, 5];
const TOO_LONG_EVERY = 700;

/** The order in time of the slots decides who says what, so that an author's posts vary. */
export function makePosts(
  users: readonly DemoUser[],
  { today, now, count }: { today: number; now: number; count: number },
): PostRow[] {
  const composer = createComposer(users, true);
  const slots = makeSlots(createRandom('slots'), users, today, count - IN_PROGRESS.length);
  const rows = slots.map((slot, index) => {
    const random = createRandom(`post/${index}`);
    const isTooLong = index % TOO_LONG_EVERY === TOO_LONG_EVERY / 2;
    const content = isTooLong
      ? composer.composeTooLong(random, slot.user)
      : composer.compose(random, slot.user);
    const draft = draftOf(slot, content, writtenAt(random, slot, now));
    return rowOf(random, draft, content, outcomeOf(random, draft, now));
  });
  return [...rows, ...IN_PROGRESS.map((minutes, index) => inProgress(minutes, index))];

  function inProgress(minutes: number, index: number): PostRow {
    const random = createRandom(`in-progress/${index}`);
    const user = random.pick(users.filter((one) => one.stoppedAt === null));
    const scheduledAt = Math.floor(now / MINUTE) * MINUTE - minutes * MINUTE;
    const content = composer.compose(random, user);
    const createdAt = Math.max(user.createdAt + MINUTE, scheduledAt - random.int(1, 30) * HOUR);
    const draft = draftOf(
      { user, scheduledAt },
      content,
      Math.min(createdAt, scheduledAt - MINUTE),
    );
    return rowOf(random, draft, content, processing(random, draft));
  }
}

function draftOf(
  { user, scheduledAt }: { user: DemoUser; scheduledAt: number },
  content: Content,
  createdAt: number,
): Draft<DemoUser> {
  return {
    user,
    scheduledAt,
    createdAt,
    length: lengthOf(content.text),
    pictures: content.pictures,
  };
}

function rowOf(
  random: Random,
  draft: Draft<DemoUser>,
  content: Content,
  outcome: Outcome,
): PostRow {
  return {
    id: newId(random, draft.createdAt),
    user_id: draft.user.row.id,
    content: content.text,
    facets: content.facets.length > 0 ? new Json(content.facets) : null,
    embed: content.embed === null ? null : new Json(content.embed),
    languages: languagesOf(random, draft.user.language),
    scheduled_at: iso(draft.scheduledAt),
    created_at: iso(draft.createdAt),
    ...outcome,
  };
}

/** Most people set the language they write in, some none, some one more. */
export function languagesOf(random: Random, language: string): string[] {
  return random.weighted([
    [[language], 92],
    [[], 5],
    [language === 'en' ? ['en', 'es'] : [language, 'en'], 3],
  ]);
}
