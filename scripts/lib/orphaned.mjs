const PARENT_CHECK_MS = 100;

/**
 * npm passes a signal on to the shell it runs this script in, and the shell ends without a word to
 * us: all there is to see is another parent. Without npm, a parent that ends is no order to stop.
 */
export function onOrphaned(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}
