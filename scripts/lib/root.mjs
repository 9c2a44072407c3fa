import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Made and remade freely, never committed. */
export const cacheFolder = join(root, '.cache');
