import type { EngineState } from '@meridian/contract/engine';
import { postsText } from '../../components/engine/count-words.ts';

/** What resuming does to the posts that wait: how many go out, how many are too late. */
export function ResumeConsequence({ state }: { state: EngineState }) {
  const { waiting, lateLimitMinutes, isAlive } = state;
  return (
    <>
      <p className="mt-2">
        {waiting.count === 0
          ? 'No post is waiting.'
          : `${postsText(waiting.count)} ${waiting.count === 1 ? 'is' : 'are'} waiting. They go out oldest first, one per user and schedule interval.`}
      </p>
      {waiting.tooLate > 0 && (
        <p className="mt-2 text-text">
          {postsText(waiting.tooLate)} of them {waiting.tooLate === 1 ? 'is' : 'are'} more than{' '}
          {lateLimitMinutes} minutes late and will be marked as failed.
        </p>
      )}
      {!isAlive && (
        <p className="mt-2">No engine is running: nothing is published until one is started.</p>
      )}
    </>
  );
}
