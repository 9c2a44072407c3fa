let isOpen = false;
const listeners = new Set<() => void>();

export function subscribePalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isPaletteOpen = () => isOpen;

export function setPaletteOpen(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}
