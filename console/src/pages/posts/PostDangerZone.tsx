import type { Post } from '@meridian/contract/posts';
import {
  POST_DELETED_REDIRECT_MS,
  POST_MESSAGES,
  postDelete,
  postGet,
  postList,
  userPosts,
} from '@meridian/contract/posts';
import { statsGet } from '@meridian/contract/overview';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isOutdated, messageOf } from '../../api/api-error.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { readRemoval } from '../../components/dialogs/read-outcome.ts';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { lastAddressOf, wasOpenedFrom } from '../../components/navigation/visits.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { DELETE_CONSEQUENCE } from './post-consequences.ts';
import { PostQuestion } from './PostQuestion.tsx';

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
