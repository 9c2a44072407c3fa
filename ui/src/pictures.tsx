import { ImageOff } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { isLoadablePicture, PICTURE_TYPES, pictureLoad } from '@meridian/contract/pictures';
import { Button } from './Button.tsx';
import { initialOf, SafeText, withoutHidden } from './SafeText.tsx';
import { VisuallyHidden } from './Table.tsx';
import { fetchFile } from './api/call.ts';
import { ApiError, messageOf } from './api/errors.ts';
import { pageConfig } from './api/page-config.ts';
import { cx } from './classes.ts';
import { useAfterPaint } from './hooks.ts';
import { ExternalLink } from './links.tsx';

interface AvatarProps {
  src?: string | undefined;
  name: string;
  size?: 'sm' | 'md' | 'lg' | undefined;
}

const SIZES = { sm: 'size-[1.875rem] text-sm', md: 'size-10 text-base', lg: 'size-14 text-xl' };

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

interface AltProps {
  alt: string;
  lang?: string | undefined;
}

interface PictureProps extends AltProps {
  src: string | null;
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

function LoadPicture({ picture }: { picture: ForeignPicture }) {
  const { host, url, load, isLoading, failure } = picture;
  const [label, goal] =
    failure === undefined ? ['Load picture', 'from'] : ['Try again', 'to load the picture from'];
  const link = <ExternalLink href={url}>Open in a new tab</ExternalLink>;
  if (load === undefined) return link;
  return (
    <>
      <Button size="sm" busy={isLoading} aria-label={`${label} ${goal} ${host}`} onClick={load}>
        {label}
      </Button>
      {failure !== undefined && link}
    </>
  );
}

interface ForeignAvatarNoteProps {
  picture: ForeignPicture;
  className?: string | undefined;
}

/** The host of an avatar, which is too small for words itself, and the button that loads it. */
export function ForeignAvatarNote({ picture, className }: ForeignAvatarNoteProps) {
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

interface ForeignPicture {
  host: string;
  url: string;
  load: (() => void) | undefined;
  isLoading: boolean;
  isLoaded: boolean;
  failure: string | undefined;
}

export interface ShownPicture {
  src: string | undefined;
  foreign: ForeignPicture | undefined;
}

type Attempt = {
  url: string;
  controller: AbortController;
  /** An address of the bytes, which the browser keeps until it is given back. */
  src?: string;
  failure?: string;
};

const FAILED = 'The picture could not be loaded. Try again later';

export function usePicture(source: string | null | undefined): ShownPicture {
  const address = pictureAddress(source, surroundings());
  const url = address?.isTrusted === false ? address.url : undefined;
  const [attempt, setAttempt] = useState<Attempt>();
  if (attempt !== undefined && attempt.url !== url) setAttempt(undefined);

  // Neither a request nor the bytes outlive what they were for.
  useEffect(() => {
    if (attempt === undefined) return undefined;
    return () => {
      attempt.controller.abort();
      if (attempt.src !== undefined) URL.revokeObjectURL(attempt.src);
    };
  }, [attempt]);

  async function load(from: string) {
    const controller = new AbortController();
    setAttempt({ url: from, controller });
    try {
      const blob = await loadPicture(from, controller.signal);
      if (controller.signal.aborted) return;
      setAttempt({ url: from, controller, src: URL.createObjectURL(blob) });
    } catch (error) {
      if (controller.signal.aborted) return;
      setAttempt({ url: from, controller, failure: messageOf(error, FAILED) });
    }
  }

  if (address === null) return { src: undefined, foreign: undefined };
  if (url === undefined) return { src: address.url, foreign: undefined };
  const canLoad = address.isLoadable && pageConfig().canLoadPictures;
  const foreign = {
    host: address.host,
    url,
    load: canLoad ? () => void load(url) : undefined,
    isLoading: attempt !== undefined && !attempt.src && attempt.failure === undefined,
    isLoaded: attempt?.src !== undefined,
    failure: attempt?.failure,
  };
  return { src: attempt?.src, foreign };
}

/** The button of the box goes away when its work is done: the focus then goes to the box. */
function useFocusKept(isDone: boolean): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isDone && document.activeElement === document.body) box.current?.focus();
  }, [isDone]);

  return box;
}

export function surroundings(): Surroundings {
  return { pageUrl: location.href, imageSources: pageConfig().imageSources };
}

/** For lists, where there is no room to ask: only what the browser may load by itself. */
export function trustedPicture(source: string | null | undefined): string | undefined {
  const address = pictureAddress(source, surroundings());
  return address?.isTrusted === true ? address.url : undefined;
}

export type Surroundings = {
  pageUrl: string;
  imageSources: readonly string[];
};

/**
 * Any host that a picture is loaded from learns when an administrator works, and from where: only
 * trusted ones are asked by the browser without a click. A loadable one the server can fetch. Null
 * for a text that is no address of a picture.
 */
export function pictureAddress(
  source: string | null | undefined,
  { pageUrl, imageSources }: Surroundings,
) {
  if (source === null || source === undefined || source === '') return null;
  const url = URL.parse(source, pageUrl);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const isOwn = url.origin === new URL(pageUrl).origin && url.origin !== 'null';
  const isTrusted = isOwn || imageSources.some((one) => isFrom(url, one));
  if (!isTrusted && url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return { url: url.href, host: url.host, isTrusted, isLoadable: isLoadablePicture(url) };
}

/** As the browser reads a source of the policy: an origin, or every subdomain of a host. */
function isFrom(url: URL, source: string): boolean {
  const [scheme = '', host = ''] = source.split('//*', 2);
  if (host === '') return url.origin === source;
  return url.protocol === scheme && url.port === '' && url.hostname.endsWith(host);
}

const TYPES: readonly string[] = PICTURE_TYPES;

/** A picture of another host, fetched by the server. Throws an ApiError for everything else. */
async function loadPicture(url: string, signal: AbortSignal): Promise<Blob> {
  const request = { query: { url }, accept: TYPES.join(', '), signal };
  const response = await fetchFile(pictureLoad, request);
  const blob = await response.blob();
  // A blob has this page's origin: one that a browser takes for a document must never become one.
  if (!TYPES.includes(blob.type)) throw new ApiError({ status: response.status, message: '' });
  return blob;
}
