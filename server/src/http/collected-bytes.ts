const FIRST_SIZE = 1_024;

/**
 * Bytes in one piece. Copied together as they come: kept as a list, what is sent byte by byte would be
 * an object per byte, each a hundred times what it holds.
 */
export class CollectedBytes {
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, FIRST_SIZE, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = needed;
  }

  /** All that came, at most so much of it. */
  take(max = this.#length): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, Math.min(max, this.#length));
  }
}
