import type { Foundation } from './foundation.ts';
import { createServices } from './services.ts';
import type { Services } from './services.ts';

/** What routes work with. */
export type Context = Foundation & Services;

export function createContext(foundation: Foundation): Context {
  return { ...foundation, ...createServices(foundation) };
}
