import type { MouseEvent } from 'react';

/** The first stop of the Tab key: past the navigation, into the page. */
export function SkipLink({ target = 'main' }: { target?: string | undefined }) {
  // The address is left alone: a router knows nothing of a step that a plain `#main` would add.
  function skip(event: MouseEvent) {
    event.preventDefault();
    document.getElementById(target)?.focus();
  }
  return (
    <a
      href={`#${target}`}
      onClick={skip}
      className="fixed start-3 top-3 z-60 -translate-y-20 rounded bg-accent-fill px-4 py-2 font-medium text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
