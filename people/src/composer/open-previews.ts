/** Longer than most pages take, and no longer than people wait for a button. */
const MOST_MS = 4_000;

const open = new Set<Promise<void>>();

/** Link previews on their way: a post that is scheduled meanwhile goes out with them. */
export function notePreview(preview: Promise<void>): void {
  open.add(preview);
  void preview.then(() => open.delete(preview));
}

/** Resolves when none is on its way any more, or when that takes too long. */
export async function previewsSettled(): Promise<void> {
  if (open.size === 0) return;
  await Promise.race([
    Promise.all(open),
    new Promise((resolve) => {
      setTimeout(resolve, MOST_MS);
    }),
  ]);
}
