import type { ReactNode } from 'react';
import { createPath, Link, type LinkProps, resolvePath, useLocation } from 'react-router';
import { buttonClass, type ButtonLook, cx } from './classes.ts';

/** A link inside the console: its page and data are on their way before it is pressed. */
export function AppLink(props: LinkProps) {
  const { pathname } = useLocation();
  const path = () => createPath(resolvePath(props.to, pathname));
  return (
    <Link
      {...props}
      onPointerEnter={(event) => {
        props.onPointerEnter?.(event);
        // A finger comes to press: that is seen below, at the same moment.
        if (event.pointerType !== 'touch') prefetchSoon(path());
      }}
      onPointerLeave={(event) => {
        props.onPointerLeave?.(event);
        cancelPrefetch();
      }}
      onPointerDown={(event) => {
        props.onPointerDown?.(event);
        if (event.button === 0) prefetchPath(path());
      }}
      onFocus={(event) => {
        props.onFocus?.(event);
        // A press focuses too, and has been seen above.
        if (event.currentTarget.matches(':focus-visible')) prefetchSoon(path(), FOCUS_REST_MS);
      }}
      onBlur={(event) => {
        props.onBlur?.(event);
        cancelPrefetch();
      }}
    />
  );
}

interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'>, ButtonLook {
  icon?: ReactNode;
}

export function LinkButton({ variant, size, wide, icon, children, ...rest }: LinkButtonProps) {
  return (
    <AppLink {...rest} className={buttonClass({ variant, size, wide })}>
      {icon}
      {children}
    </AppLink>
  );
}

interface ExternalLinkProps {
  href: string;
  children: ReactNode;
  className?: string | undefined;
}

/** Out of the console, telling the other side nothing about it. */
export function ExternalLink({ href, children, className }: ExternalLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className={cx('rounded-sm text-accent-text hover:underline', className)}
    >
      {children}
    </a>
  );
}

const REST_MS = 50;
/** Tab goes through a list with a stop at every link: all of their pages would be too many requests. */
const FOCUS_REST_MS = 250;

let prefetcher: (path: string) => void = () => {};
let resting: ReturnType<typeof setTimeout> | undefined;

export function registerPrefetcher(next: typeof prefetcher): void {
  prefetcher = next;
}

export function prefetchPath(path: string): void {
  cancelPrefetch();
  if (!savesData()) prefetcher(path);
}

function prefetchSoon(path: string, restMs = REST_MS): void {
  cancelPrefetch();
  resting = setTimeout(prefetchPath, restMs, path);
}

function cancelPrefetch(): void {
  clearTimeout(resting);
}

/** True on a connection that costs per byte: then nothing is loaded before it is needed. */
function savesData(): boolean {
  // Known to some browsers only, and not to the DOM library.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
