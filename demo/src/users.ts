import { avatarKey } from './files.ts';
import { newDid, newId } from './ids.ts';
import type { DemoLanguage, Voice } from './languages.ts';
import { makePersonas } from './people.ts';
import type { Persona } from './people.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import type { UserRow } from './rows.ts';
import { DAY, HOUR, iso } from './times.ts';

/** An account, and all that decides what it posts. */
export type Author = {
  row: Pick<UserRow, 'id' | 'did' | 'status' | 'is_active'>;
  language: DemoLanguage;
  voice: Voice;
  createdAt: number;
  /** When the account was stopped; nothing of it is published from then on. */
  stoppedAt: number | null;
};
export type DemoUser = Author & {
  row: UserRow;
  /** The author's own site, without scheme. */
  site: string;
  /** The share of all posts, relative to the other users. */
  weight: number;
  isOrganization: boolean;
};

const HANDLE_HOSTS = ['posts.example', 'skies.example', 'cloudpost.example'];

/** Oldest account first. `today` is a midnight; the newest account is of the evening before. */
export function makeUsers(seed: string, today: number, count: number): DemoUser[] {
  const random = createRandom(`users/${seed}`);
  const handles = new Set<string>();
  const users = makePersonas(random, count)
    .map((persona) => makeUser(random, persona, { today, handles }))
    .toSorted((a, b) => a.createdAt - b.createdAt);
  return withAvatars(random, users);
}

function makeUser(
  random: Random,
  persona: Persona,
  { today, handles }: { today: number; handles: Set<string> },
): DemoUser {
  const { slug, voice, language, isOrganization } = persona;
  const hasOwnDomain = isOrganization || random.chance(0.3);
  const host = hasOwnDomain ? 'example' : random.pick(HANDLE_HOSTS);
  let handle = `${slug}.${host}`;
  for (let copy = 2; handles.has(handle); copy += 1) handle = `${slug}${copy}.${host}`;
  handles.add(handle);
  // Sign-ups grow over fourteen months: half of the accounts are younger than five.
  const createdAt = Math.round(today - HOUR - 425 * DAY * random.unit() ** 1.6);
  const changedAt = Math.round(createdAt + (today - createdAt) * random.between(0.5, 0.999));
  const row = makeUserRow(random, persona, { handle, createdAt });
  const isStopped = row.status === 'SUSPENDED' || row.status === 'BLOCKED' || !row.is_active;
  const isChanged = isStopped || random.chance(0.45);
  return {
    row: { ...row, updated_at: iso(isChanged ? changedAt : createdAt) },
    language,
    voice,
    site: `${slug.replaceAll('.', '-')}.example`,
    weight: WEIGHTS[voice] * (0.15 + random.unit() ** 3 * 4),
    createdAt,
    stoppedAt: isStopped ? changedAt : null,
    isOrganization,
  };
}

/** A few accounts post all day, most now and then. */
const WEIGHTS = { newsroom: 9, cafe: 3, culture: 3, software: 2, club: 2, artist: 1.6, person: 1 };

export function makeUserRow(
  random: Random,
  { name, isOrganization }: Persona,
  { handle, createdAt }: { handle: string; createdAt: number },
): UserRow {
  const status = random.weighted([
    ['ACTIVE', 87],
    ['RESTRICTED', 4],
    ['SUSPENDED', 5],
    ['BLOCKED', 4],
  ] as const);
  const isNamed = isOrganization || name.length > 40 || random.chance(0.92);
  return {
    id: newId(random, createdAt),
    did: newDid(random),
    handle,
    display_name: isNamed ? name : null,
    avatar: null,
    status,
    is_active: random.chance(status === 'ACTIVE' ? 0.965 : 0.75),
    has_access_keyword_access: random.chance(0.35),
    upgrade_prohibited: random.chance(status === 'ACTIVE' ? 0.03 : 0.3),
    created_at: iso(createdAt),
    updated_at: iso(createdAt),
  };
}

/** In turn, so that neighbours in a list differ. The server makes addresses of the keys. */
function withAvatars(random: Random, users: DemoUser[]): DemoUser[] {
  const used = new Map<string, number>();
  for (const { row, voice, isOrganization } of users) {
    if (random.chance(0.13)) continue;
    const isPortrait = !isOrganization && random.chance(0.78);
    const isSign = isOrganization && voice !== 'artist';
    const kind = isSign ? voice : isPortrait ? 'person' : 'view';
    const index = used.get(kind) ?? 0;
    used.set(kind, index + 1);
    row.avatar = avatarKey(kind, index);
  }
  return users;
}
