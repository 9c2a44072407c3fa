import { ME_TOPIC } from '@meridian/contract/me/events';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { Member } from '../../http/register.ts';
import type { EventHub } from '../events/event-hub.ts';
import { changedEvent } from '../events/event-stream.ts';
import type { EventStream } from '../events/event-stream.ts';
import { readMemberPositions } from './member-events.store.ts';
import type { MemberSessions } from './member-sessions.service.ts';

type Options = { db: Database; hub: EventHub; sessions: Pick<MemberSessions, 'isLive'> };

const keyOf = ({ tokenHash }: EventStream) => tokenHash.toString('hex');

/** Tells each person's pages when something of what they show has changed. */
export function createMemberEvents({ db, hub, sessions }: Options) {
  /** What each stream was told last; without an entry it has not begun. */
  const told = new WeakMap<EventStream, string>();

  function say(stream: EventStream, position: string, topics: readonly string[]): void {
    told.set(stream, position);
    stream.send(changedEvent(position, topics));
  }

  async function positionsOf(streams: Iterable<EventStream>): Promise<Map<string, string>> {
    const hashes = [...streams].map(({ tokenHash }) => tokenHash);
    const rows = await readMemberPositions(db, hashes);
    return new Map(rows.map(({ token_hash, position }) => [token_hash, position]));
  }

  const audience = hub.audience({
    maxStreams: 1_000,
    maxStreamsPerOwner: 8,
    tooMany: 'This page is open too many times. Close it somewhere else',
    isLive: (tokenHash) => sessions.isLive(tokenHash),

    /** A page that does not say where it stands has read what it shows before this. */
    async begin(stream, lastEventId) {
      const position = (await positionsOf([stream])).get(keyOf(stream));
      if (position === undefined) throw new AppError('session_ended');
      say(stream, position, lastEventId === position ? [] : [ME_TOPIC]);
    },

    async tell(streams) {
      const positions = await positionsOf(streams);
      for (const stream of streams) {
        const position = positions.get(keyOf(stream));
        const before = told.get(stream);
        if (position === undefined || before === undefined || position === before) continue;
        say(stream, position, [ME_TOPIC]);
      }
    },

    /** The page reads again, and is refused: it need not wait until it may connect again. */
    farewell: (stream) => changedEvent(told.get(stream) ?? '', [ME_TOPIC]),
  });

  return {
    open: ({ userId, sessionId }: Member, lastEventId: string | undefined) =>
      audience.open({ ownerId: userId, tokenHash: Buffer.from(sessionId, 'hex') }, lastEventId),
    size: audience.size,
  };
}
