import { withoutHidden } from '../../../ui/hidden-characters.ts';

/** A host with the port that may follow it, wherever in a text it stands but in a path. */
const NAMED_HOST =
  /(?<=^|[\s("'<“«@]|\/\/)(?:(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+|\d+(?:\.\d+){3})(?::\d+)?/gu;
/** Dots that browsers read as one, and eyes too. */
const OTHER_DOTS = /[\u2024\u3002\uff0e\uff61]/gu;

/**
 * The true host of a link whose text names another one, or whose host is written in other than
 * plain letters: what the reader must see before clicking. Null when the text hides nothing.
 */
export function hiddenHost(text: string, url: URL): string | null {
  if (/(^|\.)xn--/u.test(url.hostname)) return url.host;
  const readable = withoutHidden(text).replaceAll(OTHER_DOTS, '.');
  const names = readable.match(NAMED_HOST) ?? [];
  return names.every((name) => isHost(name, url)) ? null : url.host;
}

function isHost(name: string, url: URL): boolean {
  // Parsed the browser's way, so that case, full-width letters and the like compare equal.
  const named = URL.parse(`${url.protocol}//${name}`);
  return named !== null && bare(named.hostname) === bare(url.hostname) && named.port === url.port;
}

const bare = (host: string) => host.replace(/^www\./u, '').replace(/\.+$/u, '');
