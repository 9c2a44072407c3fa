import type { FocusEvent, PointerEvent } from 'react';
import { createPath, Link, type LinkProps, resolvePath, useLocation } from 'react-router';
import { prefetchPath } from './prefetch.ts';

/** A link inside the console: its page and data are on their way before it is pressed. */
export function AppLink({ onPointerEnter, onFocus, ...rest }: LinkProps) {
  const { pathname } = useLocation();
  const prefetch = () => prefetchPath(createPath(resolvePath(rest.to, pathname)));
  return (
    <Link
      {...rest}
      onPointerEnter={(event: PointerEvent<HTMLAnchorElement>) => {
        onPointerEnter?.(event);
        prefetch();
      }}
      onFocus={(event: FocusEvent<HTMLAnchorElement>) => {
        onFocus?.(event);
        // A click focuses too, but then the page is being loaded anyway.
        if (event.currentTarget.matches(':focus-visible')) prefetch();
      }}
    />
  );
}
