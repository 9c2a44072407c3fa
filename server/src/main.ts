import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Caches compiled code between starts; everything else is imported after this. Inside the project,
// because a user who can write to the cache can run code in this process.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/meridian', import.meta.url)));

const { runProcess } = await import('./run-process.ts');
const { start } = await import('./start.ts');

await runProcess(start, 'Running requests may finish');
