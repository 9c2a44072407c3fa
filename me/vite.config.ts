import { BACKEND, BUILD, plugins, REACT_CHUNK } from '../ui/vite.ts';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/me/',
  plugins: plugins(),
  build: {
    ...BUILD,
    modulePreload: {
      polyfill: false,
      // A part that is loaded later needs only what is there by then.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    rolldownOptions: {
      // Reading a property does nothing else in any of our modules, nor in the icons.
      treeshake: { propertyReadSideEffects: false },
      output: { codeSplitting: { groups: [REACT_CHUNK] } },
    },
  },
  server: { proxy: { '/api': BACKEND, '/oauth': BACKEND, '/local-network': BACKEND } },
});
