import {
  POST_DELETED_REDIRECT_MS,
  POST_MESSAGES,
  postDelete,
  postList,
  userPosts,
} from '@meridian/contract/posts';
import { statsGet } from '@meridian/contract/stats';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../../api/api-error.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { showToast } from '../../ui/toast-store.ts';

/** Deleting a post, after which there is nothing left to see here. */
export function PostDangerZone({ id }: { id: string }) {
  const navigate = useNavigate();
  const [isDeleted, setDeleted] = useState(false);
  const remove = useEndpointMutation(postDelete, { invalidates: [postList, userPosts, statsGet] });

  // The message is to be read before the page goes; leaving earlier stops the clock.
  useEffect(() => {
    if (!isDeleted) return undefined;
    const timer = setTimeout(() => void navigate(paths.posts), POST_DELETED_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [isDeleted, navigate]);

  async function askAndDelete() {
    const isDone = await confirm({
      title: 'Delete Post',
      body: POST_MESSAGES.confirmDelete,
      danger: true,
      run: () => remove.mutateAsync({ params: { id } }),
      failed: (error) => POST_MESSAGES.deleteFailed(messageOf(error, 'the server did not answer')),
    });
    if (!isDone) return;
    showToast({ message: POST_MESSAGES.deleted });
    setDeleted(true);
  }

  return (
    <Card aria-labelledby="post-danger" className="border-danger-border">
      <CardHeader
        title="Danger Zone"
        titleId="post-danger"
        description="Removes the schedule. What was published stays on the network."
      />
      <CardBody>
        <Button variant="danger" wide disabled={isDeleted} onClick={() => void askAndDelete()}>
          Delete Post
        </Button>
      </CardBody>
    </Card>
  );
}
