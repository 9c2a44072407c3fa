type Place = HTMLElement | null | undefined;

/**
 * A row or card may leave its list with the button that was pressed in it, and the focus with it:
 * then this is the reader's place. To be called when the change is done.
 */
export function keepPlace(place: Place | (() => Place)): void {
  // The cache tells of new data in a task of its own; this one comes after it.
  setTimeout(() => {
    // On a heading it was put by the dialog that closed; this place is nearer.
    if (document.activeElement?.matches('body, h1, h2') !== true) return;
    (typeof place === 'function' ? place() : place)?.focus({ preventScroll: true });
  });
}
