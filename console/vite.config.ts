import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { blockingScript } from './scripts/blocking-script.ts';
import { builtValues } from './scripts/built-values.ts';
import { precompress } from './scripts/precompress.ts';

const backend = 'http://127.0.0.1:3000';

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
  { name: 'shell', priority: 1, test: /[\\/]src[\\/]components[\\/]shell[\\/]Shell\.tsx$/ },
  { name: 'shared', minShareCount: 3 },
];

export default defineConfig({
  plugins: [
    builtValues(),
    react(),
    tailwindcss(),
    blockingScript('/src/theme/first-paint.js'),
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
