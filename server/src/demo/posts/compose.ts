import { CARD_PREVIEWS, UPLOADS } from '../images/pictures.ts';
import { LANGUAGE_PACKS } from '../phrases/index.ts';
import type { LanguagePack, Voice } from '../phrases/types.ts';
import type { Random } from '../random.ts';
import { joined, lengthOf, NETWORK_MAX_LENGTH, richText } from '../rich-text.ts';
import type { RichText } from '../rich-text.ts';
import { slotFiller } from '../slots.ts';
import type { DemoUser } from '../users.ts';

export type Content = RichText & { embed: object | null; pictures: number };
type Phrase =
  | { kind: 'says'; says: string }
  | { kind: 'shows'; says: string; scenes: Voice['shows'][number][0] }
  | { kind: 'links'; says: string; page: Voice['links'][number] };

/** Writes posts for one author after another, without repeating a phrase while there are others. */
export function createComposer(users: readonly DemoUser[], hasFiles: boolean) {
  const decks = new Map<DemoUser, Phrase[]>();
  const wellKnown = users
    .filter((user) => user.stoppedAt === null)
    .toSorted((a, b) => b.weight - a.weight);

  const write = (
    random: Random,
    author: DemoUser,
    template: string,
    fill: (text: string) => string,
  ) =>
    richText(fill(template), {
      site: author.site,
      showsScheme: random.chance(0.35),
      someone: () => {
        // The well-known are mentioned most; nobody mentions themselves.
        const rank = Math.floor(random.unit() ** 2 * wellKnown.length);
        const found = wellKnown[rank] === author ? wellKnown[rank + 1] : wellKnown[rank];
        return found?.row ?? author.row;
      },
    });

  return {
    compose(random: Random, author: DemoUser): Content {
      const pack: LanguagePack = LANGUAGE_PACKS[author.language];
      const voice = voiceOf(author);
      const phrase = draw(decks, random, author);
      const fill = slotFiller(random, voice.words, pack.words);
      let text = write(random, author, withTail(random, author, pack, phrase.says), fill);
      for (const says of furtherSayings(random, author, voice, phrase.says)) {
        const more = write(random, author, says, slotFiller(random, voice.words, pack.words));
        const longer = joined(text, more);
        if (lengthOf(longer.text) <= NETWORK_MAX_LENGTH) text = longer;
      }
      if (phrase.kind === 'shows' && hasFiles)
        return { ...text, ...pictures(random, pack, phrase.scenes) };
      if (phrase.kind === 'links') {
        return {
          ...text,
          embed: card(random, author, phrase.page, { fill, hasFiles }),
          pictures: 0,
        };
      }
      return { ...text, embed: null, pictures: 0 };
    },

    /** More than the network takes. */
    composeTooLong(random: Random, author: DemoUser): Content {
      const pack: LanguagePack = LANGUAGE_PACKS[author.language];
      const voice = voiceOf(author);
      const next = () =>
        write(random, author, random.pick(voice.says), slotFiller(random, voice.words, pack.words));
      let text = next();
      while (lengthOf(text.text) <= NETWORK_MAX_LENGTH) text = joined(text, next());
      return { ...text, embed: null, pictures: 0 };
    },
  };
}

/** Some close with a wish or a small picture, before the tags. */
function withTail(random: Random, author: DemoUser, pack: LanguagePack, says: string): string {
  if (author.kind === 'newsroom' || !random.chance(0.35)) return says;
  const tags = /(?:\s#\S+)*$/u.exec(says)?.[0] ?? '';
  return `${says.slice(0, says.length - tags.length)} ${random.pick(pack.tails)}${tags}`;
}

/** Some have more to say. Japanese says more in the same space, and often fills all of it. */
function furtherSayings(random: Random, author: DemoUser, voice: Voice, first: string): string[] {
  if (author.kind === 'newsroom' || !random.chance(author.language === 'ja' ? 0.16 : 0.11))
    return [];
  const others = voice.says.filter((says) => says !== first);
  return random.shuffled(others).slice(0, random.chance(0.3) ? 6 : 1);
}

function voiceOf({ language, kind }: DemoUser): Voice {
  const { voices }: LanguagePack = LANGUAGE_PACKS[language];
  const voice = voices[kind];
  if (voice === undefined) throw new Error(`Nobody speaks as ${kind} in ${language}`);
  return voice;
}

function draw(decks: Map<DemoUser, Phrase[]>, random: Random, author: DemoUser): Phrase {
  const deck = decks.get(author) ?? [];
  if (deck.length === 0) {
    const { says, shows, links } = voiceOf(author);
    // A newsroom mostly links to its stories.
    const repeats = author.kind === 'newsroom' ? 2 : 1;
    deck.push(
      ...random.shuffled<Phrase>([
        ...says.map((text): Phrase => ({ kind: 'says', says: text })),
        ...shows.map(([scenes, text]): Phrase => ({ kind: 'shows', says: text, scenes })),
        ...Array.from({ length: repeats }, () =>
          links.map((page): Phrase => ({ kind: 'links', says: page.says, page })),
        ).flat(),
      ]),
    );
    decks.set(author, deck);
  }
  const phrase = deck.pop();
  if (phrase === undefined) throw new Error(`${author.row.handle} has nothing to say`);
  return phrase;
}

function pictures(random: Random, pack: LanguagePack, scenes: Voice['shows'][number][0]) {
  const fitting = UPLOADS.filter(({ scene }) => scenes.includes(scene));
  const wanted = random.weighted([
    [1, 60],
    [2, 18],
    [3, 8],
    [4, 14],
  ]);
  const images = random
    .shuffled(fitting)
    .slice(0, wanted)
    .map(({ key, scene, width, height }) => ({
      key,
      alt: random.chance(0.05) ? '' : random.pick(pack.alts[scene]),
      aspectRatio: { width, height },
    }));
  return { embed: { $type: 'app.bsky.embed.images', images }, pictures: images.length };
}

function card(
  random: Random,
  author: DemoUser,
  { title, about, path }: Voice['links'][number],
  { fill, hasFiles }: { fill: (text: string) => string; hasFiles: boolean },
): object {
  const page = author.kind === 'newsroom' ? `${path}/${random.int(10_000, 99_999)}` : path;
  const thumb = { key: random.pick(CARD_PREVIEWS[author.kind]).key };
  const external = {
    uri: `https://${author.site}/${page}`,
    title: fill(title),
    description: fill(about),
    ...(hasFiles && random.chance(0.9) ? { thumb } : {}),
  };
  return { $type: 'app.bsky.embed.external', external };
}
