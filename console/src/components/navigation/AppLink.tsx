import type { FocusEvent, PointerEvent } from 'react';
import { createPath, Link, type LinkProps, resolvePath, useLocation } from 'react-router';
import { cancelPrefetch, prefetchPath, prefetchSoon } from './prefetch.ts';

/** A link inside the console: its page and data are on their way before it is pressed. */
export function AppLink({
  onPointerEnter,
  onPointerLeave,
  onPointerDown,
  onFocus,
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
        if (event.currentTarget.matches(':focus-visible')) prefetchPath(path());
      }}
    />
  );
}
