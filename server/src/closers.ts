export type Closers = ReturnType<typeof createClosers>;

/** Whenever the process stops, what was opened so far is closed in reverse order. */
export function createClosers() {
  const stack: (() => Promise<void>)[] = [];
  return {
    add(close: () => Promise<void>): void {
      stack.push(close);
    },
    /** A failure does not keep the others open; the first one is thrown at the end. */
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
