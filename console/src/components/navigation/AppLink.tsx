import type { FocusEvent, PointerEvent } from 'react';
import { createPath, Link, type LinkProps, resolvePath, useLocation } from 'react-router';
import { cancelPrefetch, prefetchPath, prefetchSoon } from './prefetch.ts';

/** Tab goes through a list with a stop at every link: all of their pages would be too many requests. */
const FOCUS_REST_MS = 250;

/** A link inside the console: its page and data are on their way before it is pressed. */
export function AppLink({
  onPointerEnter,
  onPointerLeave,
  onPointerDown,
  onFocus,
  onBlur,
  ...rest
}: LinkProps) {
  const { pathname } = useLocation();
  const path = () => createPath(resolvePath(rest.to, pathname));
  return (
    <Link
      {...rest}
      onPointerEnter={(event: PointerEvent<HTMLAnchorElement>) => {
        onPointerEnter?.(event);
        // A finger comes to press: that is seen below, at the same moment.
        if (event.pointerType !== 'touch') prefetchSoon(path());
      }}
      onPointerLeave={(event: PointerEvent<HTMLAnchorElement>) => {
        onPointerLeave?.(event);
        cancelPrefetch();
      }}
      onPointerDown={(event: PointerEvent<HTMLAnchorElement>) => {
        onPointerDown?.(event);
        if (event.button === 0) prefetchPath(path());
      }}
      onFocus={(event: FocusEvent<HTMLAnchorElement>) => {
        onFocus?.(event);
        // A press focuses too, and has been seen above.
        if (event.currentTarget.matches(':focus-visible')) {
          prefetchSoon(path(), FOCUS_REST_MS);
        }
      }}
      onBlur={(event: FocusEvent<HTMLAnchorElement>) => {
        onBlur?.(event);
        cancelPrefetch();
      }}
    />
  );
}
