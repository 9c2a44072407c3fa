/** Everything that waits for the same frame, so that it is done together. */
const waiting = new Set<() => void>();

function run(): void {
  const due = [...waiting];
  waiting.clear();
  for (const task of due) task();
}

/** Calls back when the next frame has been painted. Returns how to call it off. */
export function afterPaint(task: () => void): () => void {
  // A task queued in a frame's last step runs when that frame has been handed over.
  if (waiting.size === 0) requestAnimationFrame(() => setTimeout(run));
  waiting.add(task);
  return () => waiting.delete(task);
}
