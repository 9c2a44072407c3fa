import type { Post } from '@meridian/contract/posts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';

/** What a dialog asks about a post, and on a second line whose post it is, scheduled for when. */
export function PostQuestion({ post, children }: { post: Post; children: string }) {
  return (
    <>
      <p>{children}</p>
      <p className="mt-2 flex flex-wrap gap-x-3">
        <SafeText className="text-text">
          {post.user === null ? post.user_id : `@${post.user.handle}`}
        </SafeText>
        <span>
          Scheduled for <Time value={post.scheduled_at} />
        </span>
      </p>
    </>
  );
}
