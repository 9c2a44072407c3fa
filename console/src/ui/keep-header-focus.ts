/** The header of a page went away with the focus in it. */
let isOwed = false;

/**
 * The ref of a page's header. A skeleton, the page and its error have a header each: the focus
 * moves from one to the heading of the next, where it would otherwise fall to the body.
 */
export function keepHeaderFocus(header: HTMLElement): () => void {
  const heading = header.querySelector('h1');
  if (isOwed && heading !== null) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  isOwed = false;
  return () => {
    isOwed = header.contains(document.activeElement);
  };
}
