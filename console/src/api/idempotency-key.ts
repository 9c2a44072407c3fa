export interface KeptKey {
  /** For sending this content: the same as last time when that is sent again, else a new one. */
  keyFor(content: unknown): string;
  /** The response came: the same content once more is another wish. */
  spend(): void;
}

/** The key of one form, for a server that does the same request once, however often it arrives. */
export function keptKey(): KeptKey {
  let kept: { content: string; key: string } | undefined;
  return {
    keyFor(content) {
      const text = JSON.stringify(content);
      if (kept?.content !== text) kept = { content: text, key: newKey() };
      return kept.key;
    },
    spend() {
      kept = undefined;
    },
  };
}

/** Not `crypto.randomUUID`, which browsers keep back where the page came without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
