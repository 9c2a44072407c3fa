import type { Post } from '@meridian/contract/posts';
import { nameOf } from '../../components/user-name.ts';
import { useAdmin } from '../../auth/use-session.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { imagesOf, linkCardOf } from './content/embed.ts';
import { segmentsOf } from './content/facets.ts';
import { PostContent } from './PostContent.tsx';
import { PostDebug } from './PostDebug.tsx';
import { PostImages } from './PostImages.tsx';
import { PostLinkCard } from './PostLinkCard.tsx';

/** The product's own pictures come from this server unless it says otherwise. */
const OWN_CDN = '/cdn/';

/** The post as its readers see it, or will. */
export function PostPreview({ post }: { post: Post }) {
  const cdnBaseUrl = useAdmin()?.cdnBaseUrl ?? OWN_CDN;
  const around = { did: post.user?.did ?? null, cdnBaseUrl, pageUrl: location.href };
  const { segments, issues } = segmentsOf(post.content, post.facets);
  const card = linkCardOf(post.embed, around);
  return (
    <Card aria-labelledby="post-preview">
      <CardHeader title="Post" titleId="post-preview" />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <Author post={post} />
        <PostContent segments={segments} />
        <PostImages images={imagesOf(post.embed, around)} />
        {card !== null && <PostLinkCard card={card} />}
        <p className="text-sm text-muted">
          Languages: {post.languages.length === 0 ? 'none given' : post.languages.join(', ')}
        </p>
      </div>
      <PostDebug facets={post.facets} embed={post.embed} issues={issues} />
    </Card>
  );
}

function Author({ post: { user, user_id: userId } }: { post: Post }) {
  if (user === null) return <Mono value={userId} />;
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={user.avatar} name={nameOf(user)} size="md" />
      <div className="min-w-0">
        <div className="truncate font-semibold">
          <SafeText>{nameOf(user)}</SafeText>
        </div>
        <div className="truncate text-sm text-muted">
          <SafeText>{`@${user.handle}`}</SafeText>
        </div>
      </div>
    </div>
  );
}
