import { NO_TEXT } from '../../components/no-text.ts';
import { splitHidden } from '../../ui/hidden-characters.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { hiddenHost } from './content/safe-link.ts';
import type { Segment } from './content/facets.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';

/** Reads in its own direction. Not a bdi: `dir="auto"` around it would look past its words. */
const OWN_DIRECTION = '[unicode-bidi:plaintext]';
/** Underlined: colour alone does not tell a link from the words around it. */
const LINK = `${OWN_DIRECTION} underline decoration-1 underline-offset-3`;

/** The words of a post, with its links, mentions and hashtags. */
export function PostContent({ segments }: { segments: readonly Segment[] }) {
  if (segments.length === 0) return <p className="text-lg text-muted">{NO_TEXT}</p>;
  return (
    <p dir="auto" className="text-lg leading-relaxed whitespace-pre-wrap wrap-anywhere">
      {segments.map((segment, index) => (
        // The segments of one text never move.
        // oxlint-disable-next-line react/no-array-index-key
        <SegmentText key={index} segment={segment} />
      ))}
    </p>
  );
}

function SegmentText({ segment }: { segment: Segment }) {
  if (segment.kind === 'text') return <span className={OWN_DIRECTION}>{segment.text}</span>;
  const host = segment.kind === 'link' ? hiddenHost(segment.text, new URL(segment.href)) : null;
  return (
    <>
      <ExternalLink href={segment.href} className={LINK}>
        {splitHidden(segment.text).hiddenCount === 0 ? (
          segment.text
        ) : (
          <SafeText>{segment.text}</SafeText>
        )}
      </ExternalLink>
      {host !== null && (
        <small className="ms-1 rounded-sm bg-amber-tint px-1.5 py-0.5 text-sm text-amber">
          leads to <bdi className="font-mono">{host}</bdi>
        </small>
      )}
    </>
  );
}
