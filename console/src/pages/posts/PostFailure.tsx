import type { Post } from '@meridian/contract/posts';
import { Alert } from '../../ui/Alert.tsx';
import { SafeText } from '../../ui/SafeText.tsx';

/** Why the post was not published, above everything else about it. */
export function PostFailure({ post }: { post: Post }) {
  if (!post.error_msg) return null;
  return (
    <Alert
      className="mb-4 whitespace-pre-wrap"
      // It was there when the page opened: nothing that has just happened.
      live="none"
      title={post.status === 'FAILED' ? 'This post was not published' : 'The last attempt failed'}
    >
      <SafeText>{post.error_msg}</SafeText>
    </Alert>
  );
}
