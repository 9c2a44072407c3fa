/** A store that did not do what it was asked. For the log: the text never goes to a reader. */
export class ObjectStoreError extends Error {
  readonly status: number | null;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ObjectStoreError';
    this.status = options.status ?? null;
  }
}

/** An object with more bytes than its reader takes. */
export class ObjectTooLargeError extends ObjectStoreError {
  constructor(key: string) {
    super(`${key} is too large`);
    this.name = 'ObjectTooLargeError';
  }
}

/** A setting that cannot work: one sentence that names it. */
export class ObjectStoreConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ObjectStoreConfigError';
  }
}

/** An address that the store's host must never resolve to: final, a second try changes nothing. */
export class RefusedAddressError extends ObjectStoreError {
  constructor(hostname: string, address: string) {
    super(`${hostname} resolves to ${address}, which is not allowed for an object store`);
    this.name = 'RefusedAddressError';
  }
}
