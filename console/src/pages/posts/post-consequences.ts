import { type EngineState, LATE_LIMIT_MINUTES_DEFAULT } from '@meridian/contract/engine';
import { type Post, type PostStatus } from '@meridian/contract/posts';
import { parseTime } from '../../ui/format-time.ts';

const MINUTE_MS = 60_000;

type EngineView = Pick<EngineState, 'isSuspended' | 'isAlive' | 'isExpected' | 'lateLimitMinutes'>;
/** Until its state is read. */
export const USUAL_ENGINE: EngineView = {
  isSuspended: false,
  isAlive: true,
  isExpected: true,
  lateLimitMinutes: LATE_LIMIT_MINUTES_DEFAULT,
};

/** What a change by hand means for the post. The dialog's own buttons are Confirm and Cancel. */
const CONSEQUENCES: Readonly<Record<PostStatus, string>> = {
  PENDING: 'The post will be published at its scheduled time.',
  PROCESSING: 'The post will be marked as being published.',
  COMPLETED: 'The post will be marked as published. Nothing will be sent to Bluesky.',
  FAILED: "The post will be marked as failed and won't be published.",
  CANCELLED: "Confirm cancels the post: it won't be published. Cancel keeps it as it is.",
};

/** The same, and what the engine will do, where one is meant to run. */
export function consequenceOf(to: PostStatus, post: Post, engine: EngineView | undefined): string {
  if (engine?.isExpected !== true) {
    return to === 'PENDING' && lateMsOf(post) > 0 ? PENDING_PAST : CONSEQUENCES[to];
  }
  if (to === 'PROCESSING') return `${PUBLISH_NOW}${delayOf(engine)}`;
  if (to === 'PENDING') return pendingConsequence(post, engine);
  const isOnTheWire = to === 'CANCELLED' && post.status === 'PROCESSING';
  return isOnTheWire ? `${CONSEQUENCES[to]} ${STILL_LANDS}` : CONSEQUENCES[to];
}

/** What happens then is for the service to say. */
const PENDING_PAST = 'Its scheduled time has passed. The post will be marked as pending.';
const PUBLISH_NOW =
  'Publish now: the post will be sent to Bluesky at once, whatever its scheduled time.';
const STILL_LANDS =
  'A request that is already on its way to Bluesky may still arrive. The post then shows its address.';

/** How long ago its scheduled time was; negative before that, and where it is not known. */
function lateMsOf(post: Post): number {
  return Date.now() - (parseTime(post.scheduled_at)?.getTime() ?? Infinity);
}

function pendingConsequence(post: Post, engine: EngineView): string {
  const lateMs = lateMsOf(post);
  if (lateMs <= 0) return CONSEQUENCES.PENDING;
  const limit = engine.lateLimitMinutes;
  return lateMs > limit * MINUTE_MS
    ? `Its scheduled time passed more than ${limit} minutes ago: the post will be marked as failed because it's too late.`
    : `Its scheduled time has passed: the post will be published at once.${delayOf(engine)}`;
}

function delayOf({ isSuspended, isAlive }: EngineView): string {
  if (isSuspended) return ' The service is suspended, so it waits until the service is resumed.';
  return isAlive ? '' : ' No engine is running, so it waits until one is started.';
}

export const DELETE_CONSEQUENCE =
  "The post will be deleted from the schedule. If it's already on Bluesky, it stays there.";
