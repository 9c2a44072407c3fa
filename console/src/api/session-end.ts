const listeners = new Set<() => void>();

/** For every store of an administrator's data: it must be empty before the next one signs in. */
export function onSessionEnd(listener: () => void): void {
  listeners.add(listener);
}

export function reportSessionEnd(): void {
  for (const listener of listeners) listener();
}
