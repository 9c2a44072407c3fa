import type { Post } from '@meridian/contract/posts';
import { firstLanguage } from '@meridian/contract/untrusted';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Badge } from '@meridian/ui/Badge.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { cutMarksIn, isBlank, SafeText, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { formatNumber } from '@meridian/ui/format.ts';
import { ExternalLink } from '@meridian/ui/links.tsx';
import {
  Avatar,
  ForeignAvatarNote,
  Picture,
  surroundings,
  usePicture,
} from '@meridian/ui/pictures.tsx';
import { NO_TEXT, NO_VISIBLE_TEXT } from '../../components/PostExcerpt.tsx';
import {
  authorIdsOf,
  authorLabelOf,
  authorNameOf,
  type EmbeddedImage,
  hiddenHost,
  imagesOf,
  type LinkCard,
  linkCardOf,
  type Segment,
  segmentsOf,
  threadOf,
  type ThreadPart,
  undrawnOf,
} from '../../components/post-content.ts';
import { Disclosure } from '@meridian/ui/DescriptionList.tsx';
import { pageConfig } from '@meridian/ui/api/page-config.ts';

/** The post as its readers see it, or will: with what it replies to, and the rest of its thread. */
export function PostPreview({ post }: { post: Post }) {
  const did = post.user?.did ?? null;
  const thread = threadOf(post.thread);
  const lang = firstLanguage(post.languages);
  return (
    <Card aria-labelledby="post-preview">
      <CardHeader title="Post" titleId="post-preview" />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {post.reply_to && (
          <div className="text-sm text-muted">
            Reply to <Mono value={post.reply_to} copyLabel="Copy AT URI of the post replied to" />
          </div>
        )}
        <PostAuthor post={post} />
        <PostPart part={post} did={did} lang={lang} />
        {thread.length > 0 && (
          <ol aria-label="Thread" className="flex flex-col gap-4">
            {thread.map((part, index) => (
              // The posts of one thread never move.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className="flex flex-col gap-4 border-t border-border pt-4">
                <p className="text-xs font-medium text-muted tabular-nums">
                  {index + 2} of {thread.length + 1}
                </p>
                <PostPart part={part} did={did} lang={lang} />
              </li>
            ))}
          </ol>
        )}
        <p className="text-sm text-muted wrap-anywhere">
          Languages:{' '}
          <SafeText>{post.languages.length === 0 ? 'none' : post.languages.join(', ')}</SafeText>
        </p>
      </div>
      <PostDebug facets={post.facets} embed={post.embed} issues={notesOf(post)} />
    </Card>
  );
}

/** The author as the network shows one: picture, display name, handle. */
function PostAuthor({ post }: { post: Post }) {
  const { src, foreign } = usePicture(post.user?.avatar);
  const name = authorNameOf(post);
  const label = authorLabelOf(post);
  const isRepeated = label === name && authorIdsOf(post).handle === null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-3">
      <Avatar src={src} name={name} size="md" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline font-semibold">
          <SafeText className="truncate">{name}</SafeText>
        </div>
        {!isRepeated && (
          <div className="flex items-baseline text-sm text-muted">
            <SafeText className="truncate">{label}</SafeText>
          </div>
        )}
      </div>
      {foreign !== undefined && <ForeignAvatarNote picture={foreign} />}
    </div>
  );
}

/** Stacks of combining marks are cut where they are shown: its readers may see them all. */
function cutMarksNote(content: string): string[] {
  const cut = cutMarksIn(content);
  if (cut === 0) return [];
  return [`${formatNumber(cut)} combining ${cut === 1 ? 'mark' : 'marks'} not shown`];
}

/** What of a post is not drawn, in words. */
function notesOf({ content, facets, embed }: ThreadPart): string[] {
  return [...cutMarksNote(content), ...undrawnOf(embed), ...segmentsOf(content, facets).issues];
}

interface PostPartProps {
  part: ThreadPart;
  did: string | null;
  /** In which screen readers read the post, where it is known. */
  lang: string | undefined;
}

/** The text, pictures and link card of a post, or of one post of a thread. */
function PostPart({ part, did, lang }: PostPartProps) {
  const { content, facets, embed } = part;
  const around = { did, cdnBaseUrl: pageConfig().cdnBaseUrl, ...surroundings() };
  const card = linkCardOf(embed, around);
  return (
    <>
      <PostContent segments={segmentsOf(content, facets).segments} lang={lang} />
      <PostImages images={imagesOf(embed, around)} lang={lang} />
      {card !== null && <PostLinkCard card={card} lang={lang} />}
      <PostNotes notes={notesOf(part)} />
    </>
  );
}

/** Reads in its own direction. Not a bdi: `dir="auto"` around it would look past its words. */
const OWN_DIRECTION = '[unicode-bidi:plaintext]';
/** Underlined: colour alone does not tell a link from the words around it. */
const LINK = `${OWN_DIRECTION} underline decoration-1 underline-offset-3`;

interface PostContentProps {
  segments: readonly Segment[];
  lang: string | undefined;
}

/** The words of a post, with its links, mentions and hashtags. */
function PostContent({ segments, lang }: PostContentProps) {
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

interface PostImagesProps {
  images: readonly EmbeddedImage[];
  lang: string | undefined;
}

/** The pictures of a post, each with its alternative text in words. */
function PostImages({ images, lang }: PostImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className="grid items-start gap-3 @xl:grid-cols-2">
      {images.map(({ src, alt }, index) => (
        // The pictures of one post never move.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="min-w-0 overflow-hidden rounded border border-border">
          <Picture src={src} alt={alt} lang={lang} className="aspect-4/3" />
          <AltText lang={lang}>{alt}</AltText>
        </li>
      ))}
    </ul>
  );
}

/** A longer one scrolls in its box, by keyboard too, so that the picture stays in sight. */
const LONG = 250;

function AltText({ children: alt, lang }: { children: string; lang: string | undefined }) {
  const scrolls = alt.length > LONG;
  return (
    <p
      // A screen reader has it from the picture already.
      aria-hidden={alt !== '' && !scrolls}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard too
      tabIndex={scrolls ? 0 : undefined}
      className="max-h-40 overflow-x-clip overflow-y-auto border-t border-border px-3 py-2 text-sm whitespace-pre-line text-muted wrap-anywhere"
    >
      {alt === '' ? 'No alternative text' : <SafeText lang={lang}>{alt}</SafeText>}
    </p>
  );
}

interface PostLinkCardProps {
  card: LinkCard;
  lang: string | undefined;
}

/** The preview of a page that a post links to. */
function PostLinkCard({ card, lang }: PostLinkCardProps) {
  const { href, uri, description, thumb } = card;
  const title = isBlank(card.title) ? { children: 'No title' } : { children: card.title, lang };
  return (
    <article
      aria-label="Link card"
      className="flex overflow-hidden rounded border border-border @max-xl:flex-col"
    >
      {thumb !== null && (
        <Picture
          src={thumb}
          alt=""
          className="aspect-1200/630 w-52 shrink-0 border-border @max-xl:w-full @max-xl:border-b @xl:border-e"
        />
      )}
      <div className="min-w-0 flex-1 px-4 py-3">
        <h3 className="text-base leading-snug font-semibold wrap-anywhere">
          {/* The link itself is clamped: a clamp around it would cut off its focus ring. */}
          {href === null ? (
            <SafeText {...title} className="line-clamp-3" />
          ) : (
            <ExternalLink href={href} className="line-clamp-3">
              <SafeText {...title} />
            </ExternalLink>
          )}
        </h3>
        {description !== '' && (
          <p className="mt-1 line-clamp-3 text-sm text-muted wrap-anywhere">
            <SafeText lang={lang}>{description}</SafeText>
          </p>
        )}
        {href === null && <p className="mt-1.5 text-sm text-amber">Refused link target</p>}
        <p
          className="mt-1.5 line-clamp-2 font-mono text-xs text-muted wrap-anywhere"
          title={withoutHidden(uri)}
        >
          {uri === '' ? 'No address' : <SafeText>{uri}</SafeText>}
        </p>
      </div>
    </article>
  );
}

/** The rest stands in the view of facets and embed. */
const SHOWN_MAX = 5;

/** Names what of a post is not drawn here, in plain sight: its readers may see it. */
function PostNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  const rest = notes.length - SHOWN_MAX;
  return (
    <Alert tone="amber" live="none" className="font-normal">
      <ul aria-label="Not shown">
        {notes.slice(0, SHOWN_MAX).map((note, index) => (
          // Two facets may have the same problem; the list never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <SafeText>{note}</SafeText>
          </li>
        ))}
        {rest > 0 && <li>{rest} more below</li>}
      </ul>
    </Alert>
  );
}

export interface PostDebugProps {
  facets: unknown;
  embed: unknown;
  /** What of them is not drawn, and why. */
  issues: readonly string[];
}

/** Enough to study any post; more would only stall the page. */
const DEBUG_SHOWN_MAX = 20_000;

function pretty(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return text.length > DEBUG_SHOWN_MAX ? `${text.slice(0, DEBUG_SHOWN_MAX).toWellFormed()}…` : text;
}

/** What the author's client really sent. */
function PostDebug({ facets, embed, issues }: PostDebugProps) {
  return (
    <Disclosure
      summary={
        <>
          <span>Facets and embed</span>
          {issues.length > 0 && (
            <Badge tone="amber" className="ms-1.5">
              {issues.length} {issues.length === 1 ? 'problem' : 'problems'}
            </Badge>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {issues.length > 0 && (
          <section aria-label="Problems">
            <h3 className="text-sm font-medium">Problems</h3>
            <ul className="mt-1 list-disc ps-5 text-sm text-amber">
              {issues.map((issue, index) => (
                // Two facets may have the same problem; the list never changes.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={index} className="wrap-anywhere">
                  <SafeText>{issue}</SafeText>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Dump title="Facets" value={facets} />
        <Dump title="Embed" value={embed} />
      </div>
    </Disclosure>
  );
}

function Dump({ title, value }: { title: string; value: unknown }) {
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-medium">{title}</h3>
      <pre
        // Scrolls by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="mt-1 max-h-96 overflow-auto rounded bg-sunken p-3 font-mono text-xs"
      >
        <SafeText>{pretty(value)}</SafeText>
      </pre>
    </section>
  );
}
