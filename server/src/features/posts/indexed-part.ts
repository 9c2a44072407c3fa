import { escapeLike } from '../../db/escape-like.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

/**
 * The index holds three letters each and finds nothing by fewer. Handles and DIDs are plain ASCII;
 * what else is typed is looked up whole, as the small form of a letter may depend on its neighbours.
 */
const WORTH_ASKING = /^[ -~]*[a-z\d]{3}[ -~]*$/i;

/**
 * The piece of a searched text that tells people apart, to be looked up in their stead: of a handle
 * its first label, of a DID what follows the method. The rest, such as `.bsky.social`, is part of so
 * many that looking it up takes longer than checking the few who have the piece.
 */
export function indexedPart(text: string): string {
  const ofOne = text.slice(Math.max(text.lastIndexOf(':'), 0));
  const dot = ofOne.indexOf('.');
  const piece = dot === -1 ? ofOne : ofOne.slice(0, dot + 1);
  return WORTH_ASKING.test(piece) ? piece : text;
}

/** In small letters, as the searched texts of users are. The planner takes it for a constant. */
export const partPattern = (text: string) => sql`(select lower(${`%${escapeLike(text)}%`}))`;

/** Users with this text in their handle or DID. */
export function hasPart(text: string): Sql {
  return isLike(partPattern(indexedPart(text)), partPattern(text));
}

/** The index is asked for a piece only. As a test of its value the rest is no condition for the index. */
export function isLike(piece: Sql, whole: Sql): Sql {
  return sql`(search_text like ${piece} and (search_text like ${whole}) is true)`;
}
