import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// The cache is inside the project, because a user who can write to it can run code in this process.
// Everything else is imported after this, so that it is cached.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/meridian', import.meta.url)));

const { runProcess } = await import('./run-process.ts');
const { start } = await import('./start.ts');

await runProcess(start, 'Running requests may finish');
