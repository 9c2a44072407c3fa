import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { blockingScript } from '../console/scripts/blocking-script.ts';
import { dropFallbacks } from '../console/scripts/drop-fallbacks.ts';
import { precompress } from '../console/scripts/precompress.ts';

const backend = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
const BASE = '/me/';

export default defineConfig({
  base: BASE,
  plugins: [
    react(),
    tailwindcss(),
    blockingScript('/src/first-paint.js'),
    dropFallbacks(),
    precompress(),
  ],
  build: {
    // The same as the console's, for the same reasons.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What is loaded later needs only what is there by then.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // Reading a property does nothing else in any of our modules, nor in the icons.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          // Changes far more rarely than the page, and so stays cached.
          groups: [
            { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': backend, '/oauth': backend, '/local-network': backend } },
});
