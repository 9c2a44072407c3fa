import type { Post, PostStatus } from '@meridian/contract/posts';
import {
  POST_MESSAGES,
  POST_STATUSES,
  postCan,
  postCancel,
  postGet,
  postList,
  postUpdate,
  userPosts,
} from '@meridian/contract/posts';
import { statsGet } from '@meridian/contract/stats';
import { messageOf } from '../../api/api-error.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { statusLabel } from '../../components/status-label.ts';
import { Button } from '../../ui/Button.tsx';
import { ChoiceButton } from '../../ui/ChoiceButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { PostQuestion } from './PostQuestion.tsx';

const AFFECTED = [postGet, postList, userPosts, statsGet];

/** Changing the status by hand, while the post allows it. */
export function PostStatusCard({ post, isDeleted }: { post: Post; isDeleted: boolean }) {
  const seen = { invalidates: AFFECTED, headers: ifMatch(post) };
  const update = useEndpointMutation(postUpdate, seen);
  const cancel = useEndpointMutation(postCancel, seen);
  const params = { id: post.id };

  async function ask(to: PostStatus, run: () => Promise<unknown>) {
    const isDone = await confirm({
      title: to === 'CANCELLED' ? 'Cancel Post' : 'Change Status',
      body: <PostQuestion post={post}>{POST_MESSAGES.confirmStatus(post.status, to)}</PostQuestion>,
      danger: to === 'CANCELLED' || to === 'FAILED',
      busyLabel: to === 'CANCELLED' ? 'Cancelling...' : 'Changing...',
      run,
      failed: (error) => POST_MESSAGES.statusFailed(messageOf(error, 'the server did not answer')),
    });
    if (isDone) showToast({ message: POST_MESSAGES.statusChanged(to) });
  }

  return (
    <Card aria-labelledby="post-status">
      <CardHeader
        title="Change Status"
        titleId="post-status"
        description={
          postCan.changeStatus(post)
            ? 'Each change asks first.'
            : 'A completed or failed post keeps its status.'
        }
      />
      {postCan.changeStatus(post) && (
        <CardBody className="flex flex-col gap-3">
          <div className="grid grid-cols-2 gap-2">
            {POST_STATUSES.map((status) => (
              <ChoiceButton
                key={status}
                chosen={status === post.status}
                disabled={isDeleted}
                onClick={() =>
                  void ask(status, () => update.mutateAsync({ params, body: { status } }))
                }
              >
                {statusLabel(status)}
              </ChoiceButton>
            ))}
          </div>
          {postCan.cancel(post) && (
            <Button
              variant="danger-quiet"
              wide
              disabled={isDeleted}
              onClick={() => void ask('CANCELLED', () => cancel.mutateAsync({ params }))}
            >
              Cancel Post
            </Button>
          )}
        </CardBody>
      )}
    </Card>
  );
}
