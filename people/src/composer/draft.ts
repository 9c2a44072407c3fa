import { newKey } from '../../../console/src/api/idempotency-key.ts';
import type { Media, MePost, MePostInput } from '@meridian/contract/me/posts';

export type DraftPicture = { media: Media; alt: string };
export type DraftCard = NonNullable<MePost['external']>;
/** One post of a thread. */
export type DraftPart = {
  /** Of this draft only, for the order on the page. */
  id: string;
  text: string;
  pictures: DraftPicture[];
  /** The last one that was loaded; `cardOf` tells whether it goes with the text. */
  card: DraftCard | null;
  /** A link whose preview was removed, or which stands beside the preview of another. */
  withoutCard: string | null;
};
export type Draft = {
  parts: DraftPart[];
  languages: string[];
  /** Null for the next free slot. */
  at: string | null;
  replyTo: string | null;
  quote: string | null;
  /** The post that this replaces. */
  editing: { id: string; version: number } | null;
  /** Sent already, with which key and for which time: until it is changed, it is the same request. */
  sent: { key: string; at: string } | null;
};

export function emptyPart(): DraftPart {
  return { id: newKey(), text: '', pictures: [], card: null, withoutCard: null };
}

export function emptyDraft(language: string): Draft {
  return {
    parts: [emptyPart()],
    languages: [language],
    at: null,
    replyTo: null,
    quote: null,
    editing: null,
    sent: null,
  };
}

export function isEmptyPart(part: DraftPart): boolean {
  return part.text.trim() === '' && part.pictures.length === 0 && cardOf(part) === null;
}

/** The preview of the first link in the text. It stays when its link is taken out. */
export function cardOf({ text, pictures, card, withoutCard }: DraftPart): DraftCard | null {
  const link = firstLink(text);
  const isOfText = link === null || link === card?.uri || link === withoutCard;
  return isOfText && pictures.length === 0 ? card : null;
}

/** The link whose preview is still to come; null where there is one, or none is wanted. */
export function linkWithoutCard(part: DraftPart): string | null {
  const link = firstLink(part.text);
  const isWanted = cardOf(part) === null && part.pictures.length === 0 && part.withoutCard !== link;
  return isWanted ? link : null;
}

export function isEmptyDraft({ parts }: Draft): boolean {
  return parts.every(isEmptyPart);
}

type ShownPart = Pick<MePost, 'content' | 'images' | 'external'>;

function partOf({ content, images, external }: ShownPart): DraftPart {
  const link = firstLink(content);
  const withoutCard = external?.uri === link ? null : link;
  return { id: newKey(), text: content, pictures: images, card: external, withoutCard };
}

/** To change a post that is not published yet. */
export function draftOf(post: MePost): Draft {
  return {
    parts: [post, ...post.thread].map(partOf),
    languages: post.languages,
    at: post.scheduledAt,
    replyTo: post.replyTo,
    quote: post.quote,
    editing: { id: post.id, version: post.version },
    sent: null,
  };
}

/** What is sent. Pictures and a link preview exclude each other on the network. */
export function bodyOf(draft: Draft, scheduledAt: string): MePostInput {
  const [first, ...more] = draft.parts.map((part) => {
    const card = cardOf(part);
    return {
      content: part.text,
      images: part.pictures.map(({ media, alt }) => ({ mediaId: media.id, alt })),
      external: card && {
        uri: card.uri,
        title: card.title,
        description: card.description,
        mediaId: card.media?.id ?? null,
      },
    };
  });
  const { languages, replyTo, quote } = draft;
  const part = first ?? { content: '', images: [], external: null };
  return { ...part, thread: more, languages, replyTo, quote, scheduledAt };
}

/** Neither a bracket nor a quotation mark, nor punctuation beyond ASCII, such as 。 and …. */
const LETTER = String.raw`[!#-'*-;=?-Z\\^-~]|(?!\p{P})[^\s\p{ASCII}]`;
/** A bracket is part of an address only with the one that closes it. As the server finds links. */
const LINK = new RegExp(
  String.raw`https?://(?:${LETTER}|\((?:${LETTER})*\)|\[(?:${LETTER})*\])+`,
  'iu',
);

/** The first link in a text, as the server writes it, without the punctuation of the sentence around it. */
export function firstLink(text: string): string | null {
  const written = LINK.exec(text)?.[0].replace(/[.,;:!?']+$/u, '');
  return (written && URL.parse(written)?.href) ?? null;
}
