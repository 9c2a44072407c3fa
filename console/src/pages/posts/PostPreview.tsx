import type { Post } from '@meridian/contract/posts';
import { firstLanguage } from '@meridian/contract/untrusted';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { threadOf } from './content/thread.ts';
import { PostAuthor } from './PostAuthor.tsx';
import { PostDebug } from './PostDebug.tsx';
import { notesOf, PostPart } from './PostPart.tsx';

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
