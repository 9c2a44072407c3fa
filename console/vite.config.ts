import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { blockingScript } from './scripts/blocking-script.ts';
import { dropFallbacks } from './scripts/drop-fallbacks.ts';
import { precompress } from './scripts/precompress.ts';
import { preloadSignedIn } from './scripts/preload-signed-in.ts';

const backend = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;

/** Modules that only some pages need: they are no load of every list. */
const OF_FORMS =
  'FormBar|FormShell|FieldSkeleton|SwitchSkeleton|use-unsaved-guard|NumberField|number-text|Switch|limit-text';
const OF_SOME_PAGES = `${OF_FORMS}|bulk|audit|use-change|fetch-file|use-conflict|NeighbourLinks|BarChart|Consequence|consequences`;

/**
 * A handful of files per page, not thirty: each is a request, and small ones compress badly.
 * The first that wants a module takes it, along with everything that module imports.
 */
const chunks = [
  // Changes far more rarely than the console, and so stays cached.
  { name: 'react', priority: 4, test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  // What the entry itself imports, before the groups below can draw it into theirs.
  { name: 'start', priority: 3, tags: ['$initial' as const] },
  { name: 'login', priority: 2, test: /[\\/]src[\\/]pages[\\/]login[\\/]/ },
  // Query cache, contract and loaders: all that a request for data needs.
  { name: 'data', priority: 1.5, test: /[\\/]src[\\/]loaders\.ts$/ },
  { name: 'shell', priority: 1, test: /[\\/]src[\\/]components[\\/]shell[\\/]Shell\.tsx$/ },
  {
    name: 'shared',
    minShareCount: 3,
    test: new RegExp(String.raw`^(?!.*[\\/](${OF_SOME_PAGES})\b)`),
  },
];

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    blockingScript('/src/first-paint.js'),
    preloadSignedIn(['data', 'shell', 'shared']),
    dropFallbacks(),
    precompress(),
  ],
  build: {
    // The styles use light-dark(); compiling it away would double every colour.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // The content policy knows no data: URLs, and no inline script such as the polyfill.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  server: {
    proxy: { '/api': backend, '/cdn': backend },
  },
});
