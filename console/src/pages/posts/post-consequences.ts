import type { PostStatus } from '@meridian/contract/posts';

/** What a change by hand means for the post. The dialog's own buttons are Confirm and Cancel. */
export const STATUS_CONSEQUENCES: Readonly<Record<PostStatus, string>> = {
  PENDING: 'The post will be published at its scheduled time.',
  PROCESSING: 'The post will be marked as being published.',
  COMPLETED: 'The post will be marked as published. Nothing will be sent to Bluesky.',
  FAILED: "The post will be marked as failed and won't be published.",
  CANCELLED: "Confirm cancels the post: it won't be published. Cancel keeps it as it is.",
};

export const DELETE_CONSEQUENCE =
  "The post will be deleted from the schedule. If it's already on Bluesky, it stays there.";
