type Problem = 'in-use' | 'not-writable' | 'no-binaries' | 'wrong-version' | 'failed';

/** Why the embedded database is not there, in one sentence for the person who started the server. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
  readonly code: Problem;

  constructor(code: Problem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const PLAIN_WORDS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
};

export function plainReason(error: unknown): string {
  const words = PLAIN_WORDS[errorCode(error) ?? ''];
  return words ?? (error instanceof Error ? error.message : String(error));
}
