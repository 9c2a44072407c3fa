import type { Media, MePost, MePostInput } from '@meridian/contract/me/posts';
import { countGraphemes, NETWORK_LIMITS, textTooLarge } from '@meridian/contract/network';
import type { PlanLimits } from '@meridian/contract/plan-limits';
import { newKey } from '@meridian/ui/api/outcome.ts';

export type DraftPicture = { media: Media; alt: string };
export type DraftCard = NonNullable<MePost['external']>;
/** One post of a thread. */
export type DraftPart = {
  /** The id tells the parts of this draft apart, and is not sent. */
  id: string;
  text: string;
  pictures: DraftPicture[];
  /** The card that was loaded last; `cardOf` tells whether it goes with the text. */
  card: DraftCard | null;
  /** A link whose preview was removed, or which stands beside the preview of another. */
  withoutCard: string | null;
};
export type Draft = {
  parts: DraftPart[];
  languages: string[];
  /** Null means the next free slot. */
  at: string | null;
  replyTo: string | null;
  quote: string | null;
  /** The post that this replaces. */
  editing: { id: string; version: number } | null;
  /** The key and the time of a draft that was sent: until it is changed, it is the same request. */
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

function isEmptyPart(part: DraftPart): boolean {
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

/** The request's body. Pictures and a link preview exclude each other on the network. */
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
/** The server finds links in the same way: a bracket is part of one only with the one that closes it. */
const LINK = new RegExp(
  String.raw`https?://(?:${LETTER}|\((?:${LETTER})*\)|\[(?:${LETTER})*\])+`,
  'iu',
);

/** The first link in a text, as the server writes it, without the punctuation of the sentence around it. */
export function firstLink(text: string): string | null {
  const written = LINK.exec(text)?.[0].replace(/[.,;:!?']+$/u, '');
  return (written && URL.parse(written)?.href) ?? null;
}

type Problem = {
  sentence: string;
  /** The id of the part at fault; undefined for the whole draft. */
  part?: string;
};

/** The reason that keeps a draft from being sent, or undefined. */
export function problemOf(draft: Draft, limits: Limits): Problem | undefined {
  const isThread = draft.parts.length > 1;
  for (const [index, part] of draft.parts.entries()) {
    const name = isThread ? `Post ${index + 1} of the thread` : 'The text';
    const sentence = isEmptyDraft(draft)
      ? 'Write something or add a picture first.'
      : partProblem(part, name, limits);
    if (sentence !== undefined) return { sentence, part: part.id };
  }
  if (draft.parts.length <= limits.parts) return undefined;
  const sentence =
    limits.parts === 1
      ? 'Your plan has no threads. Remove the further posts.'
      : `Your plan allows threads of at most ${limits.parts} posts. Remove some.`;
  return { sentence };
}

function partProblem(part: DraftPart, name: string, limits: Limits): string | undefined {
  if (isEmptyPart(part)) return `${name} is empty. Write something or remove it.`;
  const over = countGraphemes(part.text) - limits.characters;
  if (over > 0) return `${name} is ${over} ${over === 1 ? 'character' : 'characters'} too long.`;
  const bytes = new Blob([part.text]).size;
  if (bytes > NETWORK_LIMITS.textBytes) return textTooLarge(bytes);
  if (part.pictures.length <= limits.pictures) return undefined;
  const most = limits.pictures === 0 ? 'no pictures' : `at most ${limits.pictures} pictures`;
  return `Your plan allows ${most} in a post. Remove some.`;
}

/** The limits that the page itself keeps to; the server has the last word on every one. */
export type Limits = {
  characters: number;
  pictures: number;
  pictureBytes: number;
  /** The posts of a thread, the first included. */
  parts: number;
  slotMinutes: number;
  /** -1 means no limit. */
  days: number;
};

/** A limit of the plan, or the one that holds where the plan does not name it. */
export function limitOf(limits: PlanLimits, name: string, otherwise: number): number {
  const value = limits[name];
  return typeof value === 'number' ? value : otherwise;
}

export function limitsOf(limits: PlanLimits): Limits {
  const { characters, images, imageBytes, threadPosts } = NETWORK_LIMITS;
  const further = limits['thread_posts'] === true ? limitOf(limits, 'thread_posts_limit', 1) : 0;
  return {
    characters: Math.min(limitOf(limits, 'max_post_length', characters), characters),
    pictures: Math.min(limitOf(limits, 'max_images_per_post', images), images),
    pictureBytes: Math.min(limitOf(limits, 'max_image_size_mb', 1) * 1_000_000, imageBytes),
    parts: Math.min(1 + further, threadPosts),
    slotMinutes: limitOf(limits, 'schedule_interval_minutes', 1),
    days: limitOf(limits, 'max_schedule_days', -1),
  };
}
