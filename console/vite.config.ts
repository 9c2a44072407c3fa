import { defineConfig } from 'vite';
import { BACKEND, BUILD, plugins, REACT_CHUNK } from '../ui/vite.ts';
import { preloadSignedIn } from './scripts/preload-signed-in.ts';

/** Modules that only some pages need: they are no load of every list. */
const OF_SOME_PAGES =
  'form|NumberField|limits|BulkDialog|bulk-actions|audit-entries|HistoryCard|NeighbourLinks|BarChart|consequences';

/**
 * A handful of files per page, not thirty: each is a request, and small ones compress badly.
 * The first that wants a module takes it, along with everything that module imports.
 */
const chunks = [
  REACT_CHUNK,
  // What the entry itself imports, before the groups below can draw it into theirs.
  { name: 'start', priority: 3, tags: ['$initial' as const] },
  { name: 'login', priority: 2, test: /[\\/]src[\\/]pages[\\/]login[\\/]/ },
  { name: 'shell', priority: 1, test: /[\\/]src[\\/]components[\\/]Shell\.tsx$/ },
  {
    name: 'shared',
    minShareCount: 3,
    test: new RegExp(String.raw`^(?!.*[\\/](${OF_SOME_PAGES})\b)`),
  },
];

const PAGE = /[\\/](\w+)[\\/](?:list|detail|form|page)\.tsx$/;

export default defineConfig({
  plugins: plugins(preloadSignedIn(['shell', 'shared'])),
  build: {
    ...BUILD,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunks },
        // posts/list.tsx and users/list.tsx are told apart by their folder.
        chunkFileNames: ({ facadeModuleId, name }) =>
          `assets/${PAGE.exec(facadeModuleId ?? '')?.[1]?.concat('-') ?? ''}${name}-[hash].js`,
      },
    },
  },
  server: {
    proxy: { '/api': BACKEND, '/cdn': BACKEND },
  },
});
