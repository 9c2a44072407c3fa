import {
  hasVideo,
  linkCardIn,
  mediaIn,
  picturesIn,
  propertyOf,
  safeLink,
} from '@meridian/contract/untrusted';
import { truncateGraphemes } from '../../../ui/truncate-graphemes.ts';
import { pictureSource } from './pictures.ts';

export type EmbeddedImage = { src: string | null; alt: string };
export type LinkCard = {
  /** Null when the address is not one a click may open; it is then shown as text. */
  href: string | null;
  uri: string;
  title: string;
  description: string;
  thumb: string | null;
};

type Surroundings = Parameters<typeof pictureSource>[1];

// The schema's own ceiling for galleries; more is a mistake or an attack.
const IMAGES_MAX = 20;
/** As long as the network lets people make them. */
const ALT_MAX = 2000;
const DETAIL_MAX = 200;

/** The pictures of an embed, as a record or as the network's own view of it, quoted posts included. */
export function imagesOf(embed: unknown, around: Surroundings): EmbeddedImage[] {
  const images = picturesIn(embed);
  if (!Array.isArray(images)) return [];
  return images.slice(0, IMAGES_MAX).map((image: unknown) => ({
    src: pictureSource(image, around),
    alt: truncateGraphemes(textOf(propertyOf(image, 'alt')), ALT_MAX),
  }));
}

/** The link card of an embed. */
export function linkCardOf(embed: unknown, around: Surroundings): LinkCard | null {
  const external = linkCardIn(mediaIn(embed));
  if (!isObject(external)) return null;
  const uri = textOf(propertyOf(external, 'uri'));
  const thumb = propertyOf(external, 'thumb');
  return {
    href: safeLink(uri)?.href ?? null,
    uri,
    title: textOf(propertyOf(external, 'title')),
    description: textOf(propertyOf(external, 'description')),
    thumb: thumb === undefined ? null : pictureSource(thumb, around),
  };
}

/** What an embed holds that is not drawn here, in words: its readers on the network see it. */
export function undrawnOf(embed: unknown): string[] {
  if (embed === null || embed === undefined) return [];
  const media = mediaIn(embed);
  const quoted = propertyOf(embed, 'record');
  const images = picturesIn(embed);
  const external = linkCardIn(media);
  const type = textOf(propertyOf(media, '$type')) || textOf(propertyOf(embed, '$type'));
  const notes: string[] = [];
  const uri = textOf(propertyOf(external, 'uri'));
  if (uri !== '' && safeLink(uri) === null) {
    notes.push(`Refused link target of the link card${detail(uri)}`);
  }
  if (quoted !== undefined) notes.push(`Quoted post, not shown here${detail(quotedUri(quoted))}`);
  if (hasVideo(embed)) {
    notes.push(`Video, not shown here${detail(textOf(propertyOf(media, 'alt')))}`);
  } else if (!Array.isArray(images) && !isObject(external) && quoted === undefined) {
    notes.push(`Unknown embed, not shown here${detail(type)}`);
  }
  if (Array.isArray(images) && images.length > IMAGES_MAX) {
    notes.push(`Only the first ${IMAGES_MAX} of ${images.length} images are shown`);
  }
  return notes;
}

const detail = (text: string) => (text === '' ? '' : `: ${truncateGraphemes(text, DETAIL_MAX)}`);

/** A quote with media wraps the record once more. */
function quotedUri(record: unknown): string {
  return (
    textOf(propertyOf(record, 'uri')) || textOf(propertyOf(propertyOf(record, 'record'), 'uri'))
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
