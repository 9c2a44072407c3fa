import { templateFiller } from './fill.ts';
import { ALL_PICTURES } from './files.ts';
import { PACKS, PICTURES, templatesOf } from './languages.ts';
import type { DemoLanguage, Motif, Template } from './languages.ts';
import type { Random } from './random.ts';
import { lengthOf, NETWORK_MAX_LENGTH, richText } from './rich-text.ts';
import type { RichText } from './rich-text.ts';
import { Json } from './rows.ts';
import type { PostRow } from './rows.ts';
import type { DemoUser } from './users.ts';

export type Content = Pick<PostRow, 'content' | 'facets' | 'embed' | 'languages'> & {
  /** In characters as people see them. */
  length: number;
  pictures: number;
};

/** What the cards of a voice show. */
const CARD_MOTIFS: Record<Template['voice'], Motif[]> = {
  person: ['waves', 'coast'],
  artist: ['tiles', 'discs'],
  cafe: ['cup', 'bread'],
  newsroom: ['skyline', 'chart', 'map', 'ridges'],
  software: ['code', 'discs'],
  culture: ['shelf', 'tiles'],
  club: ['track', 'forest'],
};

export type Composer = ReturnType<typeof createComposer>;

/** Writes posts; an author repeats a template only after all others. `hasFiles`: pictures exist. */
export function createComposer(users: readonly DemoUser[], { hasFiles }: { hasFiles: boolean }) {
  const decks = new Map<DemoUser, Template[]>();
  const wellKnown = users
    .filter((user) => user.stoppedAt === null)
    .toSorted((a, b) => b.weight - a.weight);

  function draw(random: Random, author: DemoUser): Template {
    const deck = decks.get(author) ?? [];
    decks.set(author, deck);
    if (deck.length === 0)
      deck.push(...random.shuffled(templatesOf(author.language, author.voice)));
    const template = deck.pop();
    if (template === undefined) throw new Error(`There is no text for ${author.row.handle}`);
    return template;
  }

  function write(random: Random, author: DemoUser, text: string): RichText {
    return richText(text, {
      site: author.site,
      showsScheme: random.chance(0.35),
      mention: () => {
        // The well-known are mentioned most, an author never.
        const rank = Math.floor(random.unit() ** 2 * wellKnown.length);
        const found = wellKnown[rank] === author ? wellKnown[rank + 1] : wellKnown[rank];
        return found?.row ?? author.row;
      },
    });
  }

  function card(
    random: Random,
    { site, voice }: DemoUser,
    { path, title, about }: NonNullable<Template['page']>,
  ): object {
    const page = voice === 'newsroom' ? `${path}/${random.int(10_000, 99_999)}` : path;
    const motif = random.pick(CARD_MOTIFS[voice]);
    const thumb = { key: random.pick(ALL_PICTURES.filter((one) => one.motif === motif)).key };
    const uri = `https://${site}/${page}`;
    const preview = hasFiles && random.chance(0.9) ? { thumb } : {};
    const external = { uri, title, description: about, ...preview };
    return { $type: 'app.bsky.embed.external', external };
  }

  return {
    compose(random: Random, author: DemoUser): Content {
      const { text, pictures, page } = draw(random, author);
      const fill = templateFiller(random, PACKS[author.language].words);
      const isNews = author.voice === 'newsroom';
      const filled = fill(!isNews && random.chance(0.35) ? addTail(text) : text);
      let rich = write(random, author, filled);
      if (!isNews && random.chance(0.12)) {
        const longer = write(random, author, extended(random, author, filled));
        if (lengthOf(longer.text) <= NETWORK_MAX_LENGTH) rich = longer;
      }
      if (pictures !== undefined && hasFiles) {
        const images = imagesOf(random, author.language, pictures);
        const embed = { $type: 'app.bsky.embed.images', images };
        return contentOf(random, author, rich, embed, images.length);
      }
      const { path = '', title = '', about = '' } = page ?? {};
      const filledPage = { path, title: fill(title), about: fill(about) };
      const embed = page === undefined ? null : card(random, author, filledPage);
      return contentOf(random, author, rich, embed);
    },

    /** More than the network takes. */
    composeTooLong(random: Random, author: DemoUser): Content {
      let text = '';
      while (lengthOf(text) <= NETWORK_MAX_LENGTH) text = extended(random, author, text).trim();
      return contentOf(random, author, write(random, author, text), null);
    },
  };
}

/** With a further paragraph. */
function extended(random: Random, { language, voice }: DemoUser, text: string): string {
  const { text: more } = random.pick(templatesOf(language, voice).filter(isPlain));
  return `${text}\n\n${templateFiller(random, PACKS[language].words)(more)}`;
}

function isPlain({ pictures, page }: Template): boolean {
  return pictures === undefined && page === undefined;
}

/** A closing wish or emoji, before the tags. */
function addTail(text: string): string {
  const tags = /(?:\s#\S+)*$/u.exec(text)?.[0] ?? '';
  return `${text.slice(0, text.length - tags.length)} {tail}${tags}`;
}

function imagesOf(random: Random, language: DemoLanguage, motifs: readonly Motif[]) {
  const fitting = ALL_PICTURES.filter(({ motif }) => motifs.includes(motif));
  return random
    .shuffled(fitting)
    .slice(0, random.pick([1, 1, 1, 1, 2, 3, 4]))
    .map(({ key, motif, width, height }) => ({
      key,
      alt: random.chance(0.05) ? '' : random.pick(PICTURES[motif].alt[language]),
      aspectRatio: { width, height },
    }));
}

function contentOf(
  random: Random,
  { language }: DemoUser,
  { text, facets }: RichText,
  embed: object | null,
  pictures = 0,
): Content {
  // Most authors set the language they write in, some one more, some none.
  const another = language === 'en' ? 'es' : 'en';
  const unusual = random.chance(0.4) ? [language, another] : [];
  return {
    content: text,
    facets: facets.length > 0 ? new Json(facets) : null,
    embed: embed === null ? null : new Json(embed),
    languages: random.chance(0.92) ? [language] : unusual,
    length: lengthOf(text),
    pictures,
  };
}
