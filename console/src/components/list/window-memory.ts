import type { VirtualItem } from '@tanstack/react-virtual';
import { onSessionEnd } from '../../api/session-end.ts';

/** How a long list was left: enough to put it back exactly so. */
export interface RememberedWindow {
  scrollY: number;
  /** Heights hold for the width they were measured at. */
  width: number;
  rowHeight: number;
  scrollMargin: number;
  measured: VirtualItem[];
}

/** Going back further than this is rare: the list then starts at its top. */
const MOST = 20;

/** By the key of the history entry. */
const windows = new Map<string, RememberedWindow>();

export function rememberWindow(key: string, remembered: RememberedWindow): void {
  windows.delete(key);
  windows.set(key, remembered);
  const [oldest] = windows.keys();
  if (windows.size > MOST && oldest !== undefined) windows.delete(oldest);
}

export function recallWindow(key: string): RememberedWindow | undefined {
  const remembered = windows.get(key);
  return remembered?.width === document.documentElement.clientWidth ? remembered : undefined;
}

onSessionEnd(() => windows.clear());
