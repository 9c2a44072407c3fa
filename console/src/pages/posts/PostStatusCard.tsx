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
import { statsGet } from '@meridian/contract/overview';
import { messageOf } from '../../api/api-error.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { confirm, type ConfirmRequest } from '../../components/dialogs/dialog-store.ts';
import { readOutcome } from '../../components/dialogs/read-outcome.ts';
import { useEngine } from '../../components/engine/use-engine.ts';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { statusLabel } from '../../components/status-label.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { ChoiceButton } from '../../ui/ChoiceButton.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { consequenceOf, USUAL_ENGINE } from './post-consequences.ts';
import { PostQuestion } from './PostQuestion.tsx';

const AFFECTED = { invalidates: [postGet, postList, userPosts, statsGet] };

function explain(post: Post): string {
  if (postCan.changeStatus(post)) return "You'll be asked to confirm.";
  return ['COMPLETED', 'FAILED'].includes(post.status)
    ? 'A completed or failed post keeps its status.'
    : "A post with this status can't be changed here.";
}

/** Changing the status by hand, while the post allows it. */
export function PostStatusCard({ post, isDeleted }: { post: Post; isDeleted: boolean }) {
  const update = useEndpointMutation(postUpdate, AFFECTED);
  const cancel = useEndpointMutation(postCancel, AFFECTED);
  const isMeridian = useIsMeridian();
  const { data: engine = isMeridian ? USUAL_ENGINE : undefined } = useEngine();
  const params = { id: post.id };
  const seen = { params, headers: ifMatch(post) };
  const current = post.status;

  async function ask(to: PostStatus, run: ConfirmRequest['run']) {
    const isDone = await confirm({
      title: to === 'CANCELLED' ? 'Cancel Post' : 'Change Status',
      body: (
        <PostQuestion post={post} consequence={consequenceOf(to, post, engine)}>
          {POST_MESSAGES.confirmStatus(current, to)}
        </PostQuestion>
      ),
      danger: to === 'CANCELLED' || to === 'FAILED',
      busyLabel: to === 'CANCELLED' ? 'Cancelling...' : 'Changing...',
      takesReason: true,
      run,
      readOutcome: () => readOutcome(postGet, { params }, (now) => now.post.status === to),
      failed: (error) => POST_MESSAGES.statusFailed(messageOf(error, 'the server did not respond')),
    });
    if (isDone) showToast({ message: POST_MESSAGES.statusChanged(to) });
  }

  return (
    <Card aria-labelledby="post-status">
      <CardHeader title="Change Status" titleId="post-status" description={explain(post)} />
      {postCan.changeStatus(post) && (
        <CardBody className="flex flex-col gap-3">
          <div className="grid gap-2 @3xs:grid-cols-2">
            {POST_STATUSES.map((status) => (
              <ChoiceButton
                key={status}
                chosen={status === current}
                disabled={isDeleted}
                // There are five: the last one fills its line.
                className="@3xs:last:col-span-2"
                onClick={() =>
                  void ask(status, (reason) =>
                    update.mutateAsync({ ...seen, body: { status }, reason }),
                  )
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
              onClick={() =>
                void ask('CANCELLED', (reason) => cancel.mutateAsync({ ...seen, reason }))
              }
            >
              Cancel Post
            </Button>
          )}
        </CardBody>
      )}
    </Card>
  );
}
