import { type ListedPost, TRUNCATE } from '@meridian/contract/posts';
import { UserCell } from '../../components/UserCell.tsx';
import { paths } from '../../paths.ts';
import { Mono } from '../../ui/Mono.tsx';
import { authorIdsOf, authorNameOf, authorTitleOf } from './post-author.ts';

/** The author in the posts list: handle over DID, with the user id in place of what is missing. */
export function PostAuthorCell({ post }: { post: ListedPost }) {
  const ids = authorIdsOf(post);
  const { id, handle, did } = ids;
  if (post.user === null) {
    return <Mono value={id} short={TRUNCATE.userId} copyLabel="Copy user ID" />;
  }
  const isNamed = handle !== null || did !== null;
  const ofWhom = authorTitleOf(ids);
  const detail =
    handle !== null && did !== null ? (
      <Mono value={did} short={TRUNCATE.did} copyLabel={`Copy DID of ${ofWhom}`} />
    ) : (
      isNamed && <Mono value={id} short={TRUNCATE.userId} copyLabel={`Copy user ID of ${ofWhom}`} />
    );
  return (
    <UserCell
      avatar={post.user.avatar}
      initialOf={authorNameOf(post)}
      name={ofWhom}
      to={paths.user(id)}
      detail={detail || undefined}
    />
  );
}
