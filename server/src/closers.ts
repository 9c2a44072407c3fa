export type Closers = ReturnType<typeof createClosers>;

/** What has been opened so far, to be closed in the opposite order, at whatever point the end comes. */
export function createClosers() {
  const stack: (() => Promise<void>)[] = [];
  return {
    add(close: () => Promise<void>): void {
      stack.push(close);
    },
    /** One that fails does not keep the others open; the first failure is thrown at the end. */
    async closeAll(): Promise<void> {
      const failures: unknown[] = [];
      for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
