import type { ReactNode } from 'react';
import type { Post } from '@meridian/contract/posts';
import { firstLanguage } from '@meridian/contract/untrusted';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Badge } from '@meridian/ui/Badge.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { Disclosure } from '@meridian/ui/DescriptionList.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { cutMarksIn, isBlank, SafeText, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { pageConfig } from '@meridian/ui/api/page-config.ts';
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

/** The post as its readers see it, with the post that it replies to and the rest of its thread. */
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
              // oxlint-disable-next-line react/no-array-index-key -- the posts of a thread never move
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
      <PostSource post={post} />
    </Card>
  );
}

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

interface PostPartProps {
  part: ThreadPart;
  did: string | null;
  lang: string | undefined;
}

function PostPart({ part, did, lang }: PostPartProps) {
  const { content, facets, embed } = part;
  const around = { did, cdnBaseUrl: pageConfig().cdnBaseUrl, ...surroundings() };
  const images = imagesOf(embed, around);
  const card = linkCardOf(embed, around);
  const notes = notesOf(part);
  return (
    <>
      <PostText segments={segmentsOf(content, facets).segments} lang={lang} />
      {images.length > 0 && (
        <ul aria-label="Images" className="grid items-start gap-3 @xl:grid-cols-2">
          {images.map(({ src, alt }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the pictures of a post never move
            <li key={index} className="min-w-0 overflow-hidden rounded border border-border">
              <Picture src={src} alt={alt} lang={lang} className="aspect-4/3" />
              <AltText alt={alt} lang={lang} />
            </li>
          ))}
        </ul>
      )}
      {card !== null && <PostLinkCard card={card} lang={lang} />}
      {notes.length > 0 && (
        <Alert tone="amber" live="none" className="font-normal">
          <ul aria-label="Not shown">
            {noteItems(notes.slice(0, NOTES_MAX))}
            {notes.length > NOTES_MAX && <li>{notes.length - NOTES_MAX} more below</li>}
          </ul>
        </Alert>
      )}
    </>
  );
}

/** A bdi would not do: `dir="auto"` around it would look past its words. */
const OWN_DIRECTION = '[unicode-bidi:plaintext]';

function PostText({ segments, lang }: { segments: readonly Segment[]; lang: string | undefined }) {
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
        // oxlint-disable-next-line react/no-array-index-key -- the segments of a text never move
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
      <ExternalLink
        href={link.href}
        // Colour alone does not tell a link from the words around it.
        className={`${OWN_DIRECTION} underline decoration-1 underline-offset-3`}
      >
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

/** A longer text scrolls in its box, so that the picture stays in sight. */
const ALT_SHOWN_MAX = 250;

function AltText({ alt, lang }: { alt: string; lang: string | undefined }) {
  const scrolls = alt.length > ALT_SHOWN_MAX;
  return (
    <p
      // A screen reader has read it at the picture already.
      aria-hidden={alt !== '' && !scrolls}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard too
      tabIndex={scrolls ? 0 : undefined}
      className="max-h-40 overflow-x-clip overflow-y-auto border-t border-border px-3 py-2 text-sm whitespace-pre-line text-muted wrap-anywhere"
    >
      {alt === '' ? 'No alternative text' : <SafeText lang={lang}>{alt}</SafeText>}
    </p>
  );
}

/** The preview of a page that a post links to. */
function PostLinkCard({ card, lang }: { card: LinkCard; lang: string | undefined }) {
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

/** The facets and the embed as the author's client sent them, and notes on parts that are not drawn. */
function PostSource({ post }: { post: Post }) {
  const notes = notesOf(post);
  return (
    <Disclosure
      summary={
        <>
          <span>Facets and embed</span>
          {notes.length > 0 && (
            <Badge tone="amber" className="ms-1.5">
              {notes.length} {notes.length === 1 ? 'problem' : 'problems'}
            </Badge>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {notes.length > 0 && (
          <section aria-label="Problems">
            <h3 className="text-sm font-medium">Problems</h3>
            <ul className="mt-1 list-disc ps-5 text-sm text-amber">
              {noteItems(notes, 'wrap-anywhere')}
            </ul>
          </section>
        )}
        {[['Facets', post.facets] as const, ['Embed', post.embed] as const].map(
          ([title, value]) => (
            <section key={title} aria-label={title}>
              <h3 className="text-sm font-medium">{title}</h3>
              <pre
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard too
                tabIndex={0}
                className="mt-1 max-h-96 overflow-auto rounded bg-sunken p-3 font-mono text-xs"
              >
                <SafeText>{pretty(value)}</SafeText>
              </pre>
            </section>
          ),
        )}
      </div>
    </Disclosure>
  );
}

/** More notes stand in the view of facets and embed alone. */
const NOTES_MAX = 5;

function noteItems(notes: readonly string[], className?: string): ReactNode {
  return notes.map((note, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two may be the same; they never move
    <li key={index} className={className}>
      <SafeText>{note}</SafeText>
    </li>
  ));
}

/** Notes on parts of a post that are cut or not drawn here, though its readers may see them. */
function notesOf({ content, facets, embed }: ThreadPart): string[] {
  const cut = cutMarksIn(content);
  const marks = `${formatNumber(cut)} combining ${cut === 1 ? 'mark' : 'marks'} not shown`;
  return [
    ...(cut === 0 ? [] : [marks]),
    ...undrawnOf(embed),
    ...segmentsOf(content, facets).issues,
  ];
}

/** Enough to study any post; more would only stall the page. */
const PRETTY_MAX_LENGTH = 20_000;

function pretty(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  if (text.length <= PRETTY_MAX_LENGTH) return text;
  return `${text.slice(0, PRETTY_MAX_LENGTH).toWellFormed()}…`;
}
