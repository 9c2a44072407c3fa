import type { Post } from '@meridian/contract/posts';
import { nameOf } from '../../components/user-name.ts';
import { pageConfig } from '../../api/page-config.ts';
import { ForeignAvatarNote } from '../../components/pictures/ForeignAvatarNote.tsx';
import { surroundings } from '../../components/pictures/surroundings.ts';
import { usePicture } from '../../components/pictures/use-picture.ts';
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

/** The post as its readers see it, or will. */
export function PostPreview({ post }: { post: Post }) {
  const { cdnBaseUrl } = pageConfig();
  const around = { did: post.user?.did ?? null, cdnBaseUrl, ...surroundings() };
  const { segments, issues } = segmentsOf(post.content, post.facets);
  const card = linkCardOf(post.embed, around);
  return (
    <Card aria-labelledby="post-preview">
      <CardHeader title="Post" titleId="post-preview" />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {post.user === null ? <Mono value={post.user_id} /> : <Author user={post.user} />}
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

function Author({ user }: { user: NonNullable<Post['user']> }) {
  const { src, foreign } = usePicture(user.avatar);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-3">
      <Avatar src={src} name={nameOf(user)} size="md" />
      <div className="min-w-0">
        <div className="truncate font-semibold">
          <SafeText>{nameOf(user)}</SafeText>
        </div>
        <div className="truncate text-sm text-muted">
          <SafeText>{`@${user.handle}`}</SafeText>
        </div>
      </div>
      {foreign !== undefined && <ForeignAvatarNote picture={foreign} />}
    </div>
  );
}
