import type { MePost } from '@meridian/contract/me/posts';
import { ExternalLink } from 'lucide-react';
import { Badge } from '../../../console/src/ui/Badge.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { buttonClass } from '../../../console/src/ui/button-class.ts';
import { cx } from '../../../console/src/ui/cx.ts';
import { SafeText } from '../../../console/src/ui/SafeText.tsx';
import { Time } from '../../../console/src/ui/Time.tsx';
import type { Tone } from '../../../console/src/ui/tone.ts';
import { LinkPreview } from '../parts/LinkPreview.tsx';

export type PostActions = Record<'edit' | 'cancel' | 'retry' | 'delete', (post: MePost) => void>;

const STATUSES: Readonly<Record<string, [label: string, tone: Tone]>> = {
  PENDING: ['Scheduled', 'blue'],
  PROCESSING: ['Going out', 'violet'],
  COMPLETED: ['Published', 'green'],
  FAILED: ['Failed', 'red'],
  CANCELLED: ['Cancelled', 'gray'],
};

const ACTIONS = [
  ['edit', 'Edit'],
  ['cancel', 'Cancel'],
  ['retry', 'Try again'],
  ['delete', 'Delete'],
] as const;

export function PostItem({ post, actions }: { post: MePost; actions: PostActions }) {
  const [label, tone] = STATUSES[post.status] ?? [post.status, 'gray' as const];
  const lang = post.languages[0];
  return (
    <li className="flex flex-col gap-2.5 px-5 py-4">
      <div id={post.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <Badge tone={tone}>{label}</Badge>
        <Time value={post.publishedAt ?? post.scheduledAt} />
        {post.thread.length > 0 && <span>Thread of {post.thread.length + 1}</span>}
        {post.retriedAs !== null && <span>Tried again</span>}
      </div>
      {post.content !== '' && (
        <p dir="auto" lang={lang} className="line-clamp-6 whitespace-pre-line wrap-anywhere">
          <SafeText as="span">{post.content}</SafeText>
        </p>
      )}
      {post.images.length > 0 && (
        <ul aria-label="Pictures" className="flex flex-wrap gap-2">
          {post.images.map(({ media, alt }) => (
            <li key={media.id}>
              <img
                src={media.url}
                alt={alt === '' ? 'Picture without a description' : alt}
                lang={alt === '' ? undefined : lang}
                loading="lazy"
                className="h-20 w-28 rounded bg-sunken object-cover"
              />
            </li>
          ))}
        </ul>
      )}
      {post.external !== null && post.images.length === 0 && (
        <LinkPreview card={post.external} lang={lang} />
      )}
      {post.sentence !== null && (
        <p className={cx('text-sm', post.status === 'FAILED' ? 'text-red' : 'text-amber')}>
          <SafeText>{post.sentence}</SafeText>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {post.url !== null && (
          <a
            href={post.url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ size: 'sm' })}
          >
            <ExternalLink aria-hidden="true" className="size-3.5" />
            View on Bluesky
          </a>
        )}
        {ACTIONS.filter(([name]) => post.can[name]).map(([name, word]) => (
          <Button
            key={name}
            size="sm"
            aria-describedby={post.id}
            variant={name === 'delete' ? 'ghost' : 'secondary'}
            onClick={() => actions[name](post)}
          >
            {word}
          </Button>
        ))}
      </div>
    </li>
  );
}
