import type { Post } from '@meridian/contract/posts';
import { pageConfig } from '../../api/page-config.ts';
import { surroundings } from '../../components/pictures/surroundings.ts';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { cutMarksIn } from '../../ui/hidden-characters.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { imagesOf, linkCardOf, undrawnOf } from './content/embed.ts';
import { segmentsOf } from './content/facets.ts';
import { PostAuthor } from './PostAuthor.tsx';
import { PostContent } from './PostContent.tsx';
import { PostDebug } from './PostDebug.tsx';
import { PostImages } from './PostImages.tsx';
import { PostLinkCard } from './PostLinkCard.tsx';
import { PostNotes } from './PostNotes.tsx';

/** Stacks of combining marks are cut where they are shown: its readers may see them all. */
function cutMarksNote(content: string): string[] {
  const cut = cutMarksIn(content);
  if (cut === 0) return [];
  return [`${formatNumber(cut)} combining ${cut === 1 ? 'mark' : 'marks'} not shown`];
}

/** The post as its readers see it, or will. */
export function PostPreview({ post }: { post: Post }) {
  const { cdnBaseUrl } = pageConfig();
  const around = { did: post.user?.did ?? null, cdnBaseUrl, ...surroundings() };
  const { segments, issues } = segmentsOf(post.content, post.facets);
  const card = linkCardOf(post.embed, around);
  const notes = [...cutMarksNote(post.content), ...undrawnOf(post.embed), ...issues];
  return (
    <Card aria-labelledby="post-preview">
      <CardHeader title="Post" titleId="post-preview" />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <PostAuthor post={post} />
        <PostContent segments={segments} />
        <PostImages images={imagesOf(post.embed, around)} />
        {card !== null && <PostLinkCard card={card} />}
        <PostNotes notes={notes} />
        <p className="text-sm text-muted wrap-anywhere">
          Languages:{' '}
          <SafeText>{post.languages.length === 0 ? 'none' : post.languages.join(', ')}</SafeText>
        </p>
      </div>
      <PostDebug facets={post.facets} embed={post.embed} issues={notes} />
    </Card>
  );
}
