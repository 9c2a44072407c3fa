import { failureList } from '@meridian/contract/failures';
import { RETRY_MESSAGES, postRetry, retryCan } from '@meridian/contract/causes';
import { type Post, postGet, postList, userPosts } from '@meridian/contract/posts';
import { statsGet } from '@meridian/contract/overview';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { readOutcome } from '../../components/dialogs/read-outcome.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { PostQuestion } from './PostQuestion.tsx';

const AFFECTED = { invalidates: [postGet, postList, userPosts, statsGet, failureList] };

/** A failed post can be retried where its cause allows it; old and new lead to each other. */
export function PostRetry({ post, isDeleted }: { post: Post; isDeleted: boolean }) {
  const isOffered = useIsMeridian();
  const retry = useEndpointMutation(postRetry, AFFECTED);
  const params = { id: post.id };
  const canRetry = isOffered && retryCan.retry(post);
  if (!canRetry && !post.retry_of && !post.retried_as) return null;

  async function ask() {
    const isDone = await confirm({
      title: 'Retry Post',
      body: (
        <PostQuestion
          post={post}
          consequence="A new post with the same content is scheduled for now and names this one. If this one turns out to be published, nothing is sent."
        >
          Retry this post?
        </PostQuestion>
      ),
      busyLabel: 'Retrying...',
      failed: RETRY_MESSAGES.failed,
      run: () => retry.mutateAsync({ params }),
      readOutcome: () => readOutcome(postGet, { params }, (now) => Boolean(now.post.retried_as)),
    });
    if (isDone) showToast({ message: 'Retry scheduled' });
  }

  return (
    <Card as="div" className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
      {post.retry_of && <PostLink words="Retry of" id={post.retry_of} />}
      {post.retried_as && <PostLink words="Retried as" id={post.retried_as} />}
      {canRetry && (
        <>
          <p className="text-base text-muted">It can be scheduled again, as a new post.</p>
          <Button className="ms-auto" disabled={isDeleted} onClick={() => void ask()}>
            Retry
          </Button>
        </>
      )}
    </Card>
  );
}

function PostLink({ words, id }: { words: string; id: string }) {
  return (
    <AppLink to={paths.post(id)} className="rounded-sm text-accent-text underline">
      {words} <Mono value={id} short={8} />
    </AppLink>
  );
}
