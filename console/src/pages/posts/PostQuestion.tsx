import type { Post } from '@meridian/contract/posts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { authorIdsOf, authorLabelOf, authorNameOf } from './post-author.ts';

export interface PostQuestionProps {
  post: Post;
  /** What will happen. */
  consequence: string;
  /** The question, in the words of the specification. */
  children: string;
}

/** What a dialog asks about a post, what follows, whose post it is and when it is scheduled. */
export function PostQuestion({ post, consequence, children }: PostQuestionProps) {
  const name = authorNameOf(post);
  const label = authorLabelOf(post);
  return (
    <>
      <p>{children}</p>
      <p className="mt-2">{consequence}</p>
      <p className="mt-2 text-text">
        {name !== label && name !== authorIdsOf(post).handle && (
          <>
            <SafeText>{name}</SafeText>{' '}
          </>
        )}
        <SafeText>{label}</SafeText>
      </p>
      <p>
        Scheduled for <Time value={post.scheduled_at} />
      </p>
    </>
  );
}
