import type { EngineState } from '@meridian/contract/engine';
import { postsText } from '../../components/engine/count-words.ts';

/** What resuming does to the posts that wait: how many go out, how many are too late. */
export function ResumeConsequence({ state }: { state: EngineState }) {
  const { waiting, lateLimitMinutes, isAlive } = state;
  const late = `more than ${lateLimitMinutes} minutes late and will be marked as failed.`;
  const isOne = waiting.count === 1;
  return (
    <>
      <p className="mt-2">{waitingText(waiting)}</p>
      {waiting.tooLate > 0 && (
        <p className="mt-2 text-text">
          {isOne
            ? `It is ${late}`
            : `${postsText(waiting.tooLate)} of them ${waiting.tooLate === 1 ? 'is' : 'are'} ${late}`}
        </p>
      )}
      {!isAlive && (
        <p className="mt-2">No engine is running: nothing is published until one is started.</p>
      )}
    </>
  );
}

function waitingText({ count, tooLate }: EngineState['waiting']): string {
  if (count === 0) return 'No post is waiting.';
  if (count === 1) return `1 post is waiting.${tooLate === 0 ? ' It goes out at once.' : ''}`;
  return `${postsText(count)} are waiting. They go out oldest first, one per user and schedule interval.`;
}
