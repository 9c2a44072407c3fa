import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../ui/cx.ts';
import { withoutHidden } from '../../ui/hidden-characters.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { LoadPicture } from './LoadPicture.tsx';
import { useFocusKept } from './use-focus-kept.ts';
import { type ForeignPicture, usePicture } from './use-picture.ts';

export interface PictureProps {
  /** Null when there is no address it may be loaded from. */
  src: string | null;
  alt: string;
  /** Of the alternative text, where it is known. */
  lang?: string | undefined;
  className?: string | undefined;
}

/** A picture in a box of fixed size; from another host after a click; or the word that there is none. */
export function Picture({ src, alt, lang, className }: PictureProps) {
  const { src: shown, foreign } = usePicture(src);
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const isLoaded = foreign?.isLoaded === true;
  const box = useFocusKept(isLoaded);
  const isImage = shown !== undefined && shown !== brokenSrc;
  return (
    <div
      ref={box}
      tabIndex={isLoaded ? -1 : undefined}
      className={cx(
        'flex items-center justify-center bg-sunken',
        isImage ? 'overflow-hidden' : 'flex-col gap-1.5 p-2 text-center text-sm text-muted',
        className,
      )}
    >
      {isImage ? (
        <img
          src={shown}
          alt={withoutHidden(alt)}
          lang={lang}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className="size-full object-cover"
          onError={() => setBrokenSrc(shown)}
        />
      ) : foreign !== undefined && !isLoaded ? (
        <Foreign picture={foreign} alt={alt} lang={lang} />
      ) : (
        <Missing alt={alt} lang={lang} />
      )}
    </div>
  );
}

type AltProps = Pick<PictureProps, 'alt' | 'lang'>;

function Foreign({ picture, alt, lang }: AltProps & { picture: ForeignPicture }) {
  return (
    <>
      {alt !== '' && (
        <VisuallyHidden>
          <SafeText lang={lang}>{alt}</SafeText>
        </VisuallyHidden>
      )}
      <p className="line-clamp-2 wrap-anywhere">
        Picture on <bdi className="font-mono text-text">{picture.host}</bdi>
      </p>
      {picture.failure !== undefined && (
        <p role="alert" className="text-danger">
          {picture.failure}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
        <LoadPicture picture={picture} />
      </div>
    </>
  );
}

function Missing({ alt, lang }: AltProps) {
  return (
    <>
      <ImageOff aria-hidden="true" className="size-5 shrink-0" />
      Picture not available
      {alt !== '' && (
        <span className="line-clamp-3 wrap-anywhere">
          <SafeText lang={lang}>{alt}</SafeText>
        </span>
      )}
    </>
  );
}
