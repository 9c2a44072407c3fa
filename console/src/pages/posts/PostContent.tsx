import { ExternalLink } from '../../components/ExternalLink.tsx';
import { NO_TEXT, NO_VISIBLE_TEXT } from '../../components/no-text.ts';
import { isBlank } from '../../ui/hidden-characters.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import type { Segment } from './content/facets.ts';
import { hiddenHost } from './content/hidden-host.ts';

/** Reads in its own direction. Not a bdi: `dir="auto"` around it would look past its words. */
const OWN_DIRECTION = '[unicode-bidi:plaintext]';
/** Underlined: colour alone does not tell a link from the words around it. */
const LINK = `${OWN_DIRECTION} underline decoration-1 underline-offset-3`;

interface PostContentProps {
  segments: readonly Segment[];
  lang: string | undefined;
}

/** The words of a post, with its links, mentions and hashtags. */
export function PostContent({ segments, lang }: PostContentProps) {
  if (segments.length === 0) return <p className="text-lg text-muted">{NO_TEXT}</p>;
  const hasNothing = segments.every(({ text }) => isBlank(text));
  return (
    <p
      dir="auto"
      lang={lang}
      // Clipped, so that marks stacked on a letter stay in the box; with room for a focus ring.
      className="overflow-clip text-lg leading-relaxed whitespace-pre-wrap wrap-anywhere [overflow-clip-margin:6px]"
    >
      {hasNothing && <small className="text-lg text-muted">{NO_VISIBLE_TEXT}</small>}
      {segments.map((segment, index) => (
        // The segments of one text never move.
        // oxlint-disable-next-line react/no-array-index-key
        <SegmentText key={index} segment={segment} />
      ))}
    </p>
  );
}

function SegmentText({ segment: { text, ...link } }: { segment: Segment }) {
  if (link.kind === 'text') {
    return (
      <SafeText as="span" className={OWN_DIRECTION}>
        {text}
      </SafeText>
    );
  }
  const host = link.kind === 'link' ? hiddenHost(text, new URL(link.href)) : null;
  return (
    <>
      <ExternalLink href={link.href} className={LINK}>
        <SafeText as="span">{text}</SafeText>
      </ExternalLink>
      {host !== null && (
        <small className="ms-1 rounded-sm bg-amber-tint px-1.5 py-0.5 text-sm text-amber">
          leads to <bdi className="font-mono">{host}</bdi>
        </small>
      )}
    </>
  );
}
