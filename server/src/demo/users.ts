import { newDid, newId } from './identifiers.ts';
import type { PortraitOf } from './images/avatar-files.ts';
import { makePersonas } from './personas.ts';
import type { Persona } from './personas.ts';
import { LANGUAGE_PACKS } from './phrases/index.ts';
import type { DemoLanguage } from './phrases/index.ts';
import type { Kind } from './phrases/types.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import type { UserRow } from './rows.ts';
import { DAY, HOUR, iso } from './times.ts';

/** Somebody with an account, and all that decides what and when they post. */
export type DemoUser = {
  row: UserRow;
  language: DemoLanguage;
  kind: Kind;
  /** Their own site, without scheme. */
  site: string;
  zoneMinutes: number;
  /** How much of all posts is theirs, relative to the others. */
  weight: number;
  createdAt: number;
  /** When their account was stopped; nothing of theirs is published from then on. */
  stoppedAt: number | null;
  portrait: PortraitOf | null;
};

const HOSTS = ['posts.example', 'skies.example', 'cloudpost.example'];

/** Oldest account first. `today` is a midnight; nobody joins later than the evening before. */
export function makeUsers(today: number, count: number): DemoUser[] {
  const random = createRandom('users');
  const handles = new Set<string>();
  const users = makePersonas(random, count).map((persona, rank) => {
    const own = createRandom(`user/${persona.slug}/${rank}`);
    return makeUser(own, persona, { today, handles });
  });
  return users.toSorted((a, b) => a.createdAt - b.createdAt);
}

function makeUser(
  random: Random,
  persona: Persona,
  { today, handles }: { today: number; handles: Set<string> },
): DemoUser {
  const hasOwnDomain = persona.isHouse || random.chance(0.3);
  const site = `${persona.slug.replaceAll('.', '-')}.example`;
  const handle = unique(handles, (suffix) =>
    hasOwnDomain
      ? `${persona.slug}${suffix}.example`
      : `${persona.slug}${suffix}.${random.pick(HOSTS)}`,
  );
  // Sign-ups grow over fourteen months: half of the accounts are younger than five.
  const createdAt = Math.round(today - HOUR - 425 * DAY * random.unit() ** 1.6);
  const status = random.weighted([
    ['ACTIVE', 87],
    ['RESTRICTED', 4],
    ['SUSPENDED', 5],
    ['BLOCKED', 4],
  ] as const);
  const isActive = random.chance(status === 'ACTIVE' ? 0.965 : 0.75);
  const isStopped = status === 'SUSPENDED' || status === 'BLOCKED' || !isActive;
  const changedAt = Math.round(createdAt + (today - createdAt) * random.between(0.5, 0.999));
  const isUntouched = status === 'ACTIVE' && isActive && random.chance(0.55);
  const isNamed = persona.isHouse || persona.name.length > 40 || random.chance(0.92);
  return {
    row: {
      id: newId(random, createdAt),
      did: newDid(random),
      handle,
      display_name: isNamed ? persona.name : null,
      avatar: null,
      status,
      is_active: isActive,
      has_access_keyword_access: random.chance(0.35),
      upgrade_prohibited: random.chance(status === 'ACTIVE' ? 0.03 : 0.3),
      created_at: iso(createdAt),
      updated_at: iso(isUntouched ? createdAt : changedAt),
    },
    language: persona.language,
    kind: persona.kind,
    site,
    zoneMinutes: random.weighted(LANGUAGE_PACKS[persona.language].zones),
    weight: weightOf(random, persona.kind),
    createdAt,
    stoppedAt: isStopped ? changedAt : null,
    portrait: random.chance(0.87) ? portraitOf(random, persona) : null,
  };
}

function unique(taken: Set<string>, make: (suffix: string) => string): string {
  for (let attempt = 1; ; attempt += 1) {
    const candidate = make(attempt === 1 ? '' : String(attempt));
    if (taken.has(candidate)) continue;
    taken.add(candidate);
    return candidate;
  }
}

/** A few post all day, most now and then: a long tail, steeper for people than for newsrooms. */
function weightOf(random: Random, kind: Kind): number {
  const base = { newsroom: 9, software: 2, cafe: 3, culture: 2.5, club: 2, artist: 1.6, person: 1 };
  return base[kind] * (0.15 + random.unit() ** 3 * 4);
}

function portraitOf(random: Random, { kind, isHouse }: Persona): PortraitOf {
  if (isHouse) return kind;
  return random.weighted([
    ['face', 70],
    ['view', 18],
    ['pet', 12],
  ] as const);
}
