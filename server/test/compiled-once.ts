import { join } from 'node:path';

/**
 * For processes that tests start: reading and compiling the sources is two thirds of what a command
 * costs, and it is the same each time. Node checks every entry against its source.
 */
export const COMPILED_ONCE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled'),
};
