import { cx } from '../../ui/cx.ts';
import { LoadPicture } from './LoadPicture.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import type { ForeignPicture } from './use-picture.ts';

/** Beside an avatar, which itself is too small for words: where it is, and the button that loads it. */
export function ForeignAvatarNote({
  picture,
  className,
}: {
  picture: ForeignPicture;
  className?: string | undefined;
}) {
  const box = useFocusKept(picture.isLoaded);
  return (
    <div
      ref={box}
      tabIndex={picture.isLoaded ? -1 : undefined}
      className={cx(
        'flex min-h-control-sm min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted',
        className,
      )}
    >
      <span className="min-w-0 wrap-anywhere">
        {picture.isLoaded ? 'Picture from ' : 'Picture on '}
        <bdi className="font-mono text-text">{picture.host}</bdi>
      </span>
      {picture.failure !== undefined && (
        <span role="alert" className="text-danger">
          {picture.failure}
        </span>
      )}
      {!picture.isLoaded && <LoadPicture picture={picture} />}
    </div>
  );
}
