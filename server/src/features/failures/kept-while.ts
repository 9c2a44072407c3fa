/**
 * Makes something again only when its version has changed. The version is asked for first: what was made
 * from newer data than it tells is made once more, never kept too long. Callers at one time share one.
 */
export function keptWhile<T>(versionOf: () => Promise<string>, make: () => Promise<T>) {
  let kept: { version: string; made: Promise<T> } | null = null;
  return async (): Promise<T> => {
    const version = await versionOf();
    if (kept?.version === version) return kept.made;
    const next = { version, made: make() };
    kept = next;
    // A failure is told to those who wait for it, and is not kept.
    next.made.catch(() => {
      if (kept === next) kept = null;
    });
    return next.made;
  };
}
