import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { postRetry, RETRY_MESSAGES, retryCan } from '@meridian/contract/causes';
import { type EngineState, LATE_LIMIT_MINUTES_DEFAULT } from '@meridian/contract/engine';
import { failureList } from '@meridian/contract/failures';
import { statsGet } from '@meridian/contract/overview';
import {
  type Post,
  POST_DELETED_REDIRECT_MS,
  POST_MESSAGES,
  POST_STATUSES,
  postCan,
  postCancel,
  postDelete,
  postGet,
  postList,
  type PostStatus,
  postUpdate,
  userPosts,
} from '@meridian/contract/posts';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { isOutdated, messageOf } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { readOutcome, readRemoval } from '@meridian/ui/api/outcome.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { ChoiceButton } from '@meridian/ui/choices.tsx';
import { confirm, type ConfirmRequest } from '@meridian/ui/dialog-host.tsx';
import { ifMatch } from '@meridian/ui/form/conflict.tsx';
import { parseTime } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { statusLabel } from '../../components/badges.tsx';
import { useEngine } from '../../components/figures.tsx';
import { authorIdsOf, authorLabelOf, authorNameOf } from '../../components/post-content.ts';
import { lastAddressOf, wasOpenedFrom } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';

const LISTS = [postList, userPosts, statsGet];

export function PostStatusCard({ post, isDeleted }: DeedProps) {
  const update = useEndpointMutation(postUpdate, { invalidates: [postGet, ...LISTS] });
  const cancel = useEndpointMutation(postCancel, { invalidates: [postGet, ...LISTS] });
  const isMeridian = useIsMeridian();
  const { data: engine = isMeridian ? USUAL_ENGINE : undefined } = useEngine();
  const params = { id: post.id };
  const seen = { params, headers: ifMatch(post) };

  async function ask(to: PostStatus, run: ConfirmRequest['run']) {
    const isDone = await confirmDeed(post, {
      title: to === 'CANCELLED' ? 'Cancel Post' : 'Change Status',
      question: POST_MESSAGES.confirmStatus(post.status, to),
      consequence: consequenceOf(to, post, engine),
      danger: to === 'CANCELLED' || to === 'FAILED',
      busyLabel: to === 'CANCELLED' ? 'Cancelling...' : 'Changing...',
      takesReason: true,
      run,
      readOutcome: () => readOutcome(postGet, { params }, (now) => now.post.status === to),
      failed: (error) => POST_MESSAGES.statusFailed(reasonOf(error)),
    });
    if (isDone) showToast({ message: POST_MESSAGES.statusChanged(to) });
  }
  const changeTo = (status: PostStatus) =>
    ask(status, (reason) => update.mutateAsync({ ...seen, body: { status }, reason }));
  const cancelPost = () => ask('CANCELLED', (reason) => cancel.mutateAsync({ ...seen, reason }));

  return (
    <Card aria-labelledby="post-status">
      <CardHeader title="Change Status" titleId="post-status" description={hintOf(post)} />
      {postCan.changeStatus(post) && (
        <CardBody className="flex flex-col gap-3">
          <div className="grid gap-2 @3xs:grid-cols-2">
            {POST_STATUSES.map((status) => (
              <ChoiceButton
                key={status}
                chosen={status === post.status}
                disabled={isDeleted}
                // There are five: the last one fills its line.
                className="@3xs:last:col-span-2"
                onClick={() => void changeTo(status)}
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
              onClick={() => void cancelPost()}
            >
              Cancel Post
            </Button>
          )}
        </CardBody>
      )}
    </Card>
  );
}

/** Deletes the post, then leads back to the list. */
export function PostDangerZone({
  post,
  isDeleted,
  onDeleted,
}: DeedProps & { onDeleted: () => void }) {
  const remove = useEndpointMutation(postDelete, { invalidates: LISTS });
  const client = useQueryClient();
  const navigate = useNavigate();
  const { key } = useLocation();
  // The list keeps its filters when the post was opened from it.
  const list = wasOpenedFrom(key, paths.posts) ? lastAddressOf(paths.posts) : paths.posts;
  const { id } = post;

  // The page goes once the message could be read. The post also leaves the cache, so that Back does
  // not show it as if it were still there.
  useEffect(() => {
    if (!isDeleted) return undefined;
    const timer = setTimeout(() => void navigate(list), POST_DELETED_REDIRECT_MS);
    return () => {
      clearTimeout(timer);
      client.removeQueries({ queryKey: [postGet.name, { id }] });
    };
  }, [isDeleted, navigate, client, id, list]);

  async function askAndDelete() {
    const isDone = await confirmDeed(post, {
      title: 'Delete Post',
      question: POST_MESSAGES.confirmDelete,
      consequence:
        "The post will be deleted from the schedule. If it's already on Bluesky, it stays there.",
      danger: true,
      busyLabel: 'Deleting...',
      takesReason: true,
      run: (reason) =>
        remove
          .mutateAsync({ params: { id }, headers: ifMatch(post), reason })
          .catch(async (error: unknown) => {
            // Once deleted here the post is not read again, but where others were first it is.
            if (isOutdated(error))
              await client.invalidateQueries({ queryKey: [postGet.name, { id }] });
            throw error;
          }),
      readOutcome: () => readRemoval(postGet, { params: { id } }),
      failed: (error) => POST_MESSAGES.deleteFailed(reasonOf(error)),
    });
    if (!isDone) return;
    showToast({ message: POST_MESSAGES.deleted });
    onDeleted();
  }

  return (
    <Card aria-labelledby="post-danger" className="border-danger-border">
      <CardHeader
        title="Danger Zone"
        titleId="post-danger"
        description="Deletes the scheduled post. If it's already on Bluesky, it stays there."
      />
      <CardBody>
        <Button variant="danger" wide disabled={isDeleted} onClick={() => void askAndDelete()}>
          Delete Post
        </Button>
      </CardBody>
    </Card>
  );
}

/** A failed post can be retried where its cause allows it; old and new lead to each other. */
export function PostRetry({ post, isDeleted }: DeedProps) {
  const isMeridian = useIsMeridian();
  const retry = useEndpointMutation(postRetry, { invalidates: [postGet, ...LISTS, failureList] });
  const canRetry = isMeridian && retryCan.retry(post);
  if (!canRetry && !post.retry_of && !post.retried_as) return null;

  async function ask() {
    const params = { id: post.id };
    const isDone = await confirmDeed(post, {
      title: 'Retry Post',
      question: 'Retry this post?',
      consequence:
        'A new post with the same content is scheduled for now and names this one. If this one turns out to be published, nothing is sent.',
      busyLabel: 'Retrying...',
      failed: RETRY_MESSAGES.failed,
      run: () => retry.mutateAsync({ params }),
      readOutcome: () => readOutcome(postGet, { params }, (now) => Boolean(now.post.retried_as)),
    });
    if (isDone) showToast({ message: 'Retry scheduled' });
  }

  return (
    <Card as="div" className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
      <PostLink words="Retry of" id={post.retry_of} />
      <PostLink words="Retried as" id={post.retried_as} />
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

function PostLink({ words, id }: { words: string; id: string | null }) {
  if (!id) return null;
  return (
    <AppLink to={paths.post(id)} className="rounded-sm text-accent-text underline">
      {words} <Mono value={id} short={8} />
    </AppLink>
  );
}

interface DeedProps {
  post: Post;
  isDeleted: boolean;
}

interface Deed extends Omit<ConfirmRequest, 'body'> {
  question: string;
  consequence: string;
}

/** Asks before something is done to a post, and says whose it is and when it is scheduled. */
function confirmDeed(post: Post, { question, consequence, ...request }: Deed): Promise<boolean> {
  const name = authorNameOf(post);
  const label = authorLabelOf(post);
  const body = (
    <>
      <p>{question}</p>
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
  return confirm({ ...request, body });
}

const reasonOf = (error: unknown) => messageOf(error, 'the server did not respond');

function hintOf(post: Post): string {
  if (postCan.changeStatus(post)) return "You'll be asked to confirm.";
  return ['COMPLETED', 'FAILED'].includes(post.status)
    ? 'A completed or failed post keeps its status.'
    : "A post with this status can't be changed here.";
}

type EngineView = Pick<EngineState, 'isSuspended' | 'isAlive' | 'isExpected' | 'lateLimitMinutes'>;

const USUAL_ENGINE: EngineView = {
  isSuspended: false,
  isAlive: true,
  isExpected: true,
  lateLimitMinutes: LATE_LIMIT_MINUTES_DEFAULT,
};

/** The dialog's own buttons are Confirm and Cancel. */
const CONSEQUENCES: Readonly<Record<PostStatus, string>> = {
  PENDING: 'The post will be published at its scheduled time.',
  PROCESSING: 'The post will be marked as being published.',
  COMPLETED: 'The post will be marked as published. Nothing will be sent to Bluesky.',
  FAILED: "The post will be marked as failed and won't be published.",
  CANCELLED: "Confirm cancels the post: it won't be published. Cancel keeps it as it is.",
};

const MINUTE_MS = 60_000;

/** Says what the change means for the post, and what the engine will do where one is meant to run. */
function consequenceOf(to: PostStatus, post: Post, engine: EngineView | undefined): string {
  const lateMs = Date.now() - (parseTime(post.scheduled_at)?.getTime() ?? Infinity);
  const isLate = to === 'PENDING' && lateMs > 0;
  if (engine?.isExpected !== true) {
    return isLate
      ? 'Its scheduled time has passed. The post will be marked as pending.'
      : CONSEQUENCES[to];
  }
  const delay = engine.isSuspended
    ? ' The service is suspended, so it waits until the service is resumed.'
    : engine.isAlive
      ? ''
      : ' No engine is running, so it waits until one is started.';
  const limit = engine.lateLimitMinutes;
  if (to === 'PROCESSING') {
    return `Publish now: the post will be sent to Bluesky at once, whatever its scheduled time.${delay}`;
  }
  if (isLate && lateMs > limit * MINUTE_MS) {
    return `Its scheduled time passed more than ${limit} minutes ago: the post will be marked as failed because it's too late.`;
  }
  if (isLate) {
    return `Its scheduled time has passed: the post will be published at once.${delay}`;
  }
  if (to === 'CANCELLED' && post.status === 'PROCESSING') {
    return `${CONSEQUENCES[to]} A request that is already on its way to Bluesky may still arrive. The post then shows its address.`;
  }
  return CONSEQUENCES[to];
}
