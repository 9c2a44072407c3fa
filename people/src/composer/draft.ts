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
  card: DraftCard | null;
  /** A link whose preview was removed stays without one. */
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
  editing: { id: string; version: number; isGone?: true } | null;
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

export function isEmptyPart({ text, pictures, card }: DraftPart): boolean {
  return text.trim() === '' && pictures.length === 0 && card === null;
}

/** The card of a link goes when that is typed on or replaced; it stays when its link is taken out. */
export function withText(part: DraftPart, text: string): DraftPart {
  const link = findLink(text);
  const isOld = link === null || part.text.includes(link.written);
  const isKept = isOld || firstLink(part.text) !== part.card?.uri;
  return { ...part, text, card: isKept ? part.card : null };
}

export function isEmptyDraft({ parts }: Draft): boolean {
  return parts.every(isEmptyPart);
}

type ShownPart = Pick<MePost, 'content' | 'images' | 'external'>;

const partOf = ({ content, images, external }: ShownPart): DraftPart => ({
  id: newKey(),
  text: content,
  pictures: images,
  card: external,
  withoutCard: external === null ? firstLink(content) : null,
});

/** The post to change; null for a new one, which the text of a post that is gone becomes too. */
export const postOf = ({ editing }: Draft) => (editing?.isGone ? null : editing);

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
  const [first, ...more] = draft.parts.map(({ text, pictures, card }) => ({
    content: text,
    images: pictures.map(({ media, alt }) => ({ mediaId: media.id, alt })),
    external:
      card === null || pictures.length > 0
        ? null
        : {
            uri: card.uri,
            title: card.title,
            description: card.description,
            mediaId: card.media?.id ?? null,
          },
  }));
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

/** The first link in a text, as the server writes it. */
export const firstLink = (text: string) => findLink(text)?.href ?? null;

/** Without the punctuation of the sentence around it. */
function findLink(text: string) {
  const found = LINK.exec(text);
  if (found === null) return null;
  const written = found[0].replace(/[.,;:!?']+$/u, '');
  const href = URL.parse(written)?.href;
  return href === undefined ? null : { written, href };
}
