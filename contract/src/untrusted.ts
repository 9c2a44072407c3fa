export function propertyOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

const DID = /^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/u;

export function isDid(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 2048 && DID.test(value);
}

const LINK_MAX_LENGTH = 2048;

/** A click may open http and https addresses without credentials. */
export function safeLink(address: unknown): URL | null {
  if (typeof address !== 'string' || address.length > LINK_MAX_LENGTH) return null;
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username || url.password ? null : url;
}

const LINK_CARD = 'app.bsky.embed.external';
const LINK_CARDS = new Set<unknown>([LINK_CARD, `${LINK_CARD}#main`, `${LINK_CARD}#external`]);

/** A link card lies below `external`, or is the embed itself. A quote has an at:// URI. */
export function linkCardIn(embed: unknown): unknown {
  const uri = propertyOf(embed, 'uri');
  const isFlat =
    typeof uri === 'string' &&
    !uri.startsWith('at://') &&
    LINK_CARDS.has(propertyOf(embed, '$type') ?? LINK_CARD);
  return propertyOf(embed, 'external') ?? (isFlat ? embed : undefined);
}

/** A quote with media holds its media one level deeper. */
export function mediaIn(embed: unknown): unknown {
  return propertyOf(embed, 'media') ?? embed;
}

export function picturesIn(embed: unknown): unknown {
  const media = mediaIn(embed);
  return propertyOf(media, 'images') ?? propertyOf(media, 'items') ?? null;
}

const VIDEO = /^app\.bsky\.embed\.video(?:#|$)/u;

export function hasVideo(embed: unknown): boolean {
  const media = mediaIn(embed);
  const [type, video] = [propertyOf(media, '$type'), propertyOf(media, 'video')];
  return (typeof type === 'string' && VIDEO.test(type)) || (typeof video === 'object' && !!video);
}

const LANGUAGE_TAG = /^[a-z]{2,3}(-[a-z\d]{2,8})*$/iu;

/** The first language of a post is that of its text, for the attribute `lang`. */
export function firstLanguage(languages: unknown): string | undefined {
  const [language]: unknown[] = Array.isArray(languages) ? languages : [];
  return typeof language === 'string' && LANGUAGE_TAG.test(language) ? language : undefined;
}
