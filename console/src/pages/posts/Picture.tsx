import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../ui/cx.ts';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';

export interface PictureProps {
  /** Null when there is no address it may be loaded from. */
  src: string | null;
  alt: string;
  className?: string | undefined;
}

/** A picture in a box of fixed size, or the word that there is none. */
export function Picture({ src, alt, className }: PictureProps) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const box = 'flex items-center justify-center overflow-hidden bg-sunken';
  if (src === null || src === brokenSrc) {
    return (
      <div className={cx(box, 'flex-col gap-1.5 p-3 text-center text-sm text-muted', className)}>
        <ImageOff aria-hidden="true" className="size-5 shrink-0" />
        Picture not available
        {alt !== '' && (
          <VisuallyHidden>
            <bdi>{alt}</bdi>
          </VisuallyHidden>
        )}
      </div>
    );
  }
  return (
    <div className={cx(box, className)}>
      <img
        src={src}
        alt={alt}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        className="size-full object-cover"
        onError={() => setBrokenSrc(src)}
      />
    </div>
  );
}
