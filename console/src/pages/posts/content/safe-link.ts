const LINK_MAX_LENGTH = 2048;

/** An address a click may open: http or https, no credentials in it. Anything else is null. */
export function safeLink(address: unknown): URL | null {
  if (typeof address !== 'string' || address.length > LINK_MAX_LENGTH) return null;
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username || url.password ? null : url;
}

const NAMED_HOST = /^\s*(?:https?:\/\/)?([^\s/?#:@]+\.[^\s/?#:@]+)/iu;

/**
 * The true host of a link whose text names another one, or whose host is written in other than
 * plain letters: what the reader must see before clicking. Null when the text hides nothing.
 */
export function hiddenHost(text: string, url: URL): string | null {
  if (/(^|\.)xn--/u.test(url.hostname)) return url.host;
  const named = NAMED_HOST.exec(text)?.[1];
  if (!named) return null;
  // Parsed the browser's way, so that case, full-width letters and the like compare equal.
  const namedHost = URL.parse(`https://${named}`)?.hostname ?? named;
  return bare(namedHost) === bare(url.hostname) ? null : url.host;
}

const bare = (host: string) => host.replace(/^www\./u, '').replace(/\.+$/u, '');
