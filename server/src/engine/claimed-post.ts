import type { Cause } from '@meridian/contract/cause-words';

/** A post that a worker has claimed: everything needed to build its record. */
export type ClaimedPost = {
  id: string;
  userId: string;
  did: string;
  host: string;
  /** The fencing number of this claim. */
  attempt: number;
  /** Not sent before this moment, in milliseconds of the database's clock. */
  dueAt: number;
  scheduledAt: Date;
  /** Whether it was PENDING before this claim; otherwise it is a retry, or an administrator's 'Publish now'. */
  wasPending: boolean;
  /**
   * Whether this is its turn among what waited: it is kept, however late the post is by then. Of the
   * plan of a resume, the plan itself keeps it.
   */
  hasTurn: boolean;
  /** It was due before the database was restored, so it may be public: its host is asked before it fails. */
  isDoubtful: boolean;
  /** Only of a doubtful one; others fail as they are claimed. */
  isTooLate: boolean;
  /** Of the attempt before. */
  previousCause: Cause | null;
  content: string;
  facets: unknown;
  embed: unknown;
  languages: string[];
  /** AT URI of the post it replies to. */
  replyTo: string | null;
  /** Not yet checked. */
  thread: unknown[] | null;
};

/** A post of a thread, the first or a further one. */
export type ThreadPart = {
  content: string;
  facets?: unknown;
  embed?: unknown;
  languages?: string[];
};
