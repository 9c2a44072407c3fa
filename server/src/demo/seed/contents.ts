import { copyCell } from '../copy.ts';
import type { DemoLanguage } from '../phrases/index.ts';
import type { Kind } from '../phrases/types.ts';
import { createComposer } from '../posts/compose.ts';
import { languagesOf } from '../posts/index.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { Json } from '../rows.ts';
import { startOfDay } from '../times.ts';
import { makeUsers } from '../users.ts';

/** The columns a content fills, in the order of its cells. */
export const CONTENT_COLUMNS = ['content', 'facets', 'embed', 'languages'] as const;

const CAST = 475;
const TEXTS_PER_VOICE = 150;

export type Contents = {
  /** Cells for COPY, ready to be put into a line. */
  pick(random: Random, language: DemoLanguage, kind: Kind): string;
};

/**
 * Thousands of texts, written and encoded once. A million rows draw from them: composing each one
 * anew would take longer than the database needs to store it.
 */
export function prepareContents(seed: string): Contents {
  const random = createRandom(`contents/${seed}`);
  const cast = makeUsers(startOfDay(Date.now()), CAST);
  const composer = createComposer(cast, false);
  const byVoice = new Map<string, string[]>();
  for (const user of cast) {
    const voice = `${user.language}/${user.kind}`;
    const texts = byVoice.get(voice) ?? [];
    byVoice.set(voice, texts);
    for (let round = 0; round < 30 && texts.length < TEXTS_PER_VOICE; round += 1) {
      const { text, facets, embed } = composer.compose(random, user);
      texts.push(
        [
          copyCell(text),
          copyCell(facets.length > 0 ? new Json(facets) : null),
          copyCell(embed === null ? null : new Json(embed)),
          copyCell(languagesOf(random, user.language)),
        ].join('\t'),
      );
    }
  }
  const everyday = byVoice.get('en/person') ?? [];
  return {
    pick: (chance, language, kind) => chance.pick(byVoice.get(`${language}/${kind}`) ?? everyday),
  };
}
