import { type ListedPost, TRUNCATE } from '@meridian/contract/posts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { PostExcerpt } from '../../components/PostExcerpt.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { paths } from '../../paths.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

export function RecentPost({ post }: { post: ListedPost }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <AppLink
          to={paths.post(post.id)}
          dir="auto"
          className="-my-1 block rounded-sm py-1 wrap-anywhere hover:text-accent-text hover:underline"
        >
          <PostExcerpt {...post} length={TRUNCATE.recentContent} />
        </AppLink>
        {post.error_msg !== null && post.error_msg !== '' && (
          <p dir="auto" className="mt-0.5 overflow-clip text-sm wrap-anywhere text-danger">
            <SafeText as="span">{post.error_msg}</SafeText>
          </p>
        )}
      </div>
      <span className="@xl:w-28">
        <StatusBadge status={post.status} />
      </span>
      {/* As wide as the longest, so that the badges stand in one line; on a phone, beside them. */}
      <span
        style={{ minWidth: `min(${DATE_TIME_WIDTH}, 50%)` }}
        className="text-muted @xl:text-end"
      >
        <Time value={post.scheduled_at} />
      </span>
    </li>
  );
}
