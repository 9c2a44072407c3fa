/**
 * What has the focus may be taken away by its own press: a post that is deleted, a note that is
 * dismissed, a picture that is removed. The focus then moves to the heading of its card, or of the
 * page where that is gone too; the browser would let it fall to the top of the page.
 */
export function rescueFocus(): void {
  let focused: Element | undefined;
  let card: Element | null | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    focused = target;
    card = target.closest('section');
  });
  new MutationObserver(() => {
    if (focused?.isConnected !== false || document.activeElement !== document.body) return;
    const heading = (card?.isConnected && card.querySelector('h2')) || document.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus();
  }).observe(document.body, { subtree: true, childList: true });
}
