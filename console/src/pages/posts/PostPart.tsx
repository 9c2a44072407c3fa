import { pageConfig } from '../../api/page-config.ts';
import { surroundings } from '../../components/pictures/surroundings.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { cutMarksIn } from '../../ui/hidden-characters.ts';
import { imagesOf, linkCardOf, undrawnOf } from './content/embed.ts';
import { segmentsOf } from './content/facets.ts';
import type { ThreadPart } from './content/thread.ts';
import { PostContent } from './PostContent.tsx';
import { PostImages } from './PostImages.tsx';
import { PostLinkCard } from './PostLinkCard.tsx';
import { PostNotes } from './PostNotes.tsx';

/** Stacks of combining marks are cut where they are shown: its readers may see them all. */
function cutMarksNote(content: string): string[] {
  const cut = cutMarksIn(content);
  if (cut === 0) return [];
  return [`${formatNumber(cut)} combining ${cut === 1 ? 'mark' : 'marks'} not shown`];
}

/** What of a post is not drawn, in words. */
export function notesOf({ content, facets, embed }: ThreadPart): string[] {
  return [...cutMarksNote(content), ...undrawnOf(embed), ...segmentsOf(content, facets).issues];
}

interface PostPartProps {
  part: ThreadPart;
  did: string | null;
  /** In which screen readers read the post, where it is known. */
  lang: string | undefined;
}

/** The text, pictures and link card of a post, or of one post of a thread. */
export function PostPart({ part, did, lang }: PostPartProps) {
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
