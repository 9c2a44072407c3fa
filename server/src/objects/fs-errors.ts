/** Whether an error of the file system is one of these (`ENOENT`, …). */
export function isFsError(error: unknown, ...codes: string[]): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}

/** The result, or the fallback when it fails for one of these reasons only. */
export async function orWhen<T, F>(work: Promise<T>, codes: string[], fallback: F): Promise<T | F> {
  try {
    return await work;
  } catch (error) {
    if (isFsError(error, ...codes)) return fallback;
    throw error;
  }
}
