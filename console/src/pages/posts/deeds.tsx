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
import { readOutcome, readRemoval } from '@meridian/ui/api/outcome.ts';

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

interface PostDangerZoneProps {
  post: Post;
  isDeleted: boolean;
  onDeleted: () => void;
}

/** Deleting a post, after which there is nothing left to see here. */
export function PostDangerZone({ post, isDeleted, onDeleted }: PostDangerZoneProps) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const client = useQueryClient();
  const { id } = post;
  const remove = useEndpointMutation(postDelete, {
    invalidates: [postList, userPosts, statsGet],
  });

  // With its filters when the post was opened from it.
  const list = wasOpenedFrom(key, paths.posts) ? lastAddressOf(paths.posts) : paths.posts;
  // The message is to be read before the page goes; leaving earlier stops the clock. Either way
  // nothing is left in memory that Back could show as if it were still there.
  useEffect(() => {
    if (!isDeleted) return undefined;
    const timer = setTimeout(() => void navigate(list), POST_DELETED_REDIRECT_MS);
    return () => {
      clearTimeout(timer);
      client.removeQueries({ queryKey: [postGet.name, { id }] });
    };
  }, [isDeleted, navigate, client, id, list]);

  /** The post is not read again once deleted here, but it is where others were first. */
  async function readAgainIfOutdated(error: unknown): Promise<never> {
    if (isOutdated(error)) await client.invalidateQueries({ queryKey: [postGet.name, { id }] });
    throw error;
  }

  async function askAndDelete() {
    const isDone = await confirm({
      title: 'Delete Post',
      body: (
        <PostQuestion post={post} consequence={DELETE_CONSEQUENCE}>
          {POST_MESSAGES.confirmDelete}
        </PostQuestion>
      ),
      danger: true,
      busyLabel: 'Deleting...',
      takesReason: true,
      run: (reason) =>
        remove
          .mutateAsync({ params: { id }, headers: ifMatch(post), reason })
          .catch(readAgainIfOutdated),
      readOutcome: () => readRemoval(postGet, { params: { id } }),
      failed: (error) => POST_MESSAGES.deleteFailed(messageOf(error, 'the server did not respond')),
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

const RETRY_AFFECTED = { invalidates: [postGet, postList, userPosts, statsGet, failureList] };

/** A failed post can be retried where its cause allows it; old and new lead to each other. */
export function PostRetry({ post, isDeleted }: { post: Post; isDeleted: boolean }) {
  const isOffered = useIsMeridian();
  const retry = useEndpointMutation(postRetry, RETRY_AFFECTED);
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

export interface PostQuestionProps {
  post: Post;
  /** What will happen. */
  consequence: string;
  /** The question, in the words of the specification. */
  children: string;
}

/** What a dialog asks about a post, what follows, whose post it is and when it is scheduled. */
function PostQuestion({ post, consequence, children }: PostQuestionProps) {
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

const MINUTE_MS = 60_000;

type EngineView = Pick<EngineState, 'isSuspended' | 'isAlive' | 'isExpected' | 'lateLimitMinutes'>;
/** Until its state is read. */
const USUAL_ENGINE: EngineView = {
  isSuspended: false,
  isAlive: true,
  isExpected: true,
  lateLimitMinutes: LATE_LIMIT_MINUTES_DEFAULT,
};

/** What a change by hand means for the post. The dialog's own buttons are Confirm and Cancel. */
const CONSEQUENCES: Readonly<Record<PostStatus, string>> = {
  PENDING: 'The post will be published at its scheduled time.',
  PROCESSING: 'The post will be marked as being published.',
  COMPLETED: 'The post will be marked as published. Nothing will be sent to Bluesky.',
  FAILED: "The post will be marked as failed and won't be published.",
  CANCELLED: "Confirm cancels the post: it won't be published. Cancel keeps it as it is.",
};

/** The same, and what the engine will do, where one is meant to run. */
function consequenceOf(to: PostStatus, post: Post, engine: EngineView | undefined): string {
  if (engine?.isExpected !== true) {
    return to === 'PENDING' && lateMsOf(post) > 0 ? PENDING_PAST : CONSEQUENCES[to];
  }
  if (to === 'PROCESSING') return `${PUBLISH_NOW}${delayOf(engine)}`;
  if (to === 'PENDING') return pendingConsequence(post, engine);
  const isOnTheWire = to === 'CANCELLED' && post.status === 'PROCESSING';
  return isOnTheWire ? `${CONSEQUENCES[to]} ${STILL_LANDS}` : CONSEQUENCES[to];
}

/** What happens then is for the service to say. */
const PENDING_PAST = 'Its scheduled time has passed. The post will be marked as pending.';
const PUBLISH_NOW =
  'Publish now: the post will be sent to Bluesky at once, whatever its scheduled time.';
const STILL_LANDS =
  'A request that is already on its way to Bluesky may still arrive. The post then shows its address.';

/** How long ago its scheduled time was; negative before that, and where it is not known. */
function lateMsOf(post: Post): number {
  return Date.now() - (parseTime(post.scheduled_at)?.getTime() ?? Infinity);
}

function pendingConsequence(post: Post, engine: EngineView): string {
  const lateMs = lateMsOf(post);
  if (lateMs <= 0) return CONSEQUENCES.PENDING;
  const limit = engine.lateLimitMinutes;
  return lateMs > limit * MINUTE_MS
    ? `Its scheduled time passed more than ${limit} minutes ago: the post will be marked as failed because it's too late.`
    : `Its scheduled time has passed: the post will be published at once.${delayOf(engine)}`;
}

function delayOf({ isSuspended, isAlive }: EngineView): string {
  if (isSuspended) return ' The service is suspended, so it waits until the service is resumed.';
  return isAlive ? '' : ' No engine is running, so it waits until one is started.';
}

const DELETE_CONSEQUENCE =
  "The post will be deleted from the schedule. If it's already on Bluesky, it stays there.";
