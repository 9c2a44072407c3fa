import type { Post } from '@meridian/contract/posts';
import { ForeignAvatarNote } from '../../components/pictures/ForeignAvatarNote.tsx';
import { usePicture } from '../../components/pictures/use-picture.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { authorIdsOf, authorLabelOf, authorNameOf } from './post-author.ts';

/** The author as the network shows one: picture, display name, handle. */
export function PostAuthor({ post }: { post: Post }) {
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
