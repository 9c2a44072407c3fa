import type { Client } from 'pg';
import { copyLine } from '../copy.ts';
import { newDid, newId } from '../identifiers.ts';
import { makePerson } from '../personas.ts';
import type { DemoLanguage } from '../phrases/index.ts';
import type { Kind } from '../phrases/types.ts';
import { createRandom, lottery } from '../random.ts';
import type { Author } from '../posts/outcome.ts';
import type { UserRow } from '../rows.ts';
import { DAY, iso } from '../times.ts';

export const USER_COLUMNS = [
  'id',
  'did',
  'handle',
  'display_name',
  'avatar',
  'status',
  'is_active',
  'has_access_keyword_access',
  'upgrade_prohibited',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof UserRow)[];

/** Whoever posts, new or already there. */
export type BulkAuthor = Author & {
  id: string;
  createdAt: number;
  language: DemoLanguage;
  kind: Kind;
};

const KINDS: readonly (readonly [Kind, number])[] = [
  ['person', 60],
  ['artist', 12],
  ['cafe', 9],
  ['newsroom', 6],
  ['culture', 5],
  ['software', 4],
  ['club', 4],
];
const drawKind = lottery(KINDS);
const drawStatus = lottery([
  ['ACTIVE', 90],
  ['RESTRICTED', 3],
  ['SUSPENDED', 4],
  ['BLOCKED', 3],
] as const);

export type Span = { from: number; now: number };

/**
 * Lines of new users, oldest first. Each one's author is handed over too: posts are written after
 * them. A third joined before the span begins, the others while it lasts.
 */
export function* newUserLines(
  seed: string,
  count: number,
  { from, now }: Span,
  onAuthor: (author: BulkAuthor) => void,
): Generator<string> {
  const random = createRandom(`bulk-users/${seed}`);
  const start = from - (now - from) / 2 - DAY;
  for (let index = 0; index < count; index += 1) {
    const createdAt = Math.round(start + ((now - DAY - start) * (index + random.unit())) / count);
    const person = makePerson(random);
    const row: UserRow = {
      id: newId(random, createdAt),
      did: newDid(random),
      handle: `${person.slug}${random.int(100, 99_999)}.posts.example`,
      display_name: random.chance(0.9) ? person.name : null,
      avatar: null,
      status: drawStatus(random.unit()),
      is_active: random.chance(0.97),
      has_access_keyword_access: random.chance(0.35),
      upgrade_prohibited: random.chance(0.03),
      created_at: iso(createdAt),
      updated_at: iso(createdAt),
    };
    const kind = drawKind(random.unit());
    onAuthor({ row, stoppedAt: null, id: row.id, createdAt, language: person.language, kind });
    yield copyLine(USER_COLUMNS.map((column) => row[column]));
  }
}

const EXISTING_MAX = 200_000;

/** Those who are there already, oldest first; what they post about is made up. */
export async function existingAuthors(client: Client, seed: string): Promise<BulkAuthor[]> {
  const random = createRandom(`existing/${seed}`);
  const { rows } = await client.query<{ id: string; did: string; created_ms: string }>(
    `select id, did, floor(extract(epoch from created_at) * 1000)::bigint::text as created_ms
     from users order by created_at, id limit ${EXISTING_MAX}`,
  );
  return rows.map(({ id, did, created_ms }) => ({
    row: { did, status: 'ACTIVE', is_active: true },
    stoppedAt: null,
    id,
    createdAt: Number(created_ms),
    language: 'en',
    kind: drawKind(random.unit()),
  }));
}
