/** Where a worker can be told to die, in the order in which a delivery comes past them. */
export const KILL_POINTS = [
  'before the journal',
  'after the journal',
  'after the last look',
  'after the send, before the response',
  'after the response, before it is settled',
  'after it is settled',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** At one of the points, or when the test wants it. */
export type Fate = KillPoint | 'at random';

/** Ways to publish that are known to be wrong; the test has to notice each of them. */
export type Mutation = 'createRecord' | 'a new key per attempt';

/** Tells the host which process to kill once it has carried out the request. */
export const KILL_HEADER = 'x-kill-process';
