import { useState } from 'react';
import { cx } from './cx.ts';
import { initialOf } from './truncate-graphemes.ts';
import { useAfterPaint } from './use-after-paint.ts';

export interface AvatarProps {
  /** Where the browser may load it from by itself. */
  src?: string | undefined;
  /** Whose it is; its first letter stands in for a missing picture. */
  name: string;
  size?: 'sm' | 'md' | 'lg' | undefined;
}

const SIZES = { sm: 'size-[1.875rem] text-sm', md: 'size-10 text-base', lg: 'size-14 text-xl' };

/** Decoration: the name stands beside it in words. */
export function Avatar({ src, name, size = 'sm' }: AvatarProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const [loadedUrl, setLoadedUrl] = useState<string>();
  // Under twenty pictures that begin to load, the words beside them would come late.
  const url = useAfterPaint() ? src : undefined;
  return (
    <span
      aria-hidden="true"
      className={cx(
        'relative inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-blue-tint font-semibold text-blue select-none',
        SIZES[size],
      )}
    >
      {/* Stands there until the picture has come, so that a slow one leaves no hole. */}
      <bdi>{initialOf(name)}</bdi>
      {url !== undefined && url !== brokenUrl && (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className={cx(
            'absolute inset-0 size-full object-cover',
            url === loadedUrl ? 'bg-surface' : 'opacity-0',
          )}
          onLoad={() => setLoadedUrl(url)}
          onError={() => setBrokenUrl(url)}
        />
      )}
    </span>
  );
}
