import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { paths, patterns } from '../src/paths.ts';

const ROUTES = new URL('../src/routes.tsx', import.meta.url);
const ROUTE = /page\(\s*(paths|patterns)\.(\w+),[^]*?import\('\.\/([^']+)'\)/g;
type Chunk = Rolldown.OutputChunk;

const EMPTY = '<meta name="signed-in-modules" content="';

/** The pages in the order of their routes: a pattern of their address, and the module. */
function pagesOf(routes: string): [pattern: string, module: string][] {
  return [...routes.matchAll(ROUTE)].map(([, table, name = '', module = '']) => {
    const path: unknown = Reflect.get(table === 'paths' ? paths : patterns, name);
    return [`^${String(path).replaceAll(/:\w+/g, '[^/]+')}$`, module];
  });
}

/** These chunks, and all that they import. */
function neededBy(own: readonly Chunk[], chunks: readonly Chunk[]): Set<Chunk> {
  const needed = new Set(own);
  for (const { imports } of needed) {
    for (const one of chunks) if (imports.includes(one.fileName)) needed.add(one);
  }
  return needed;
}

const addresses = (files: Set<Chunk>) => [...files].map(({ fileName }) => `/${fileName}`);

/**
 * Names chunks in index.html for first-paint.js, which preloads them when a token is stored: those of
 * every page behind the login, and those of the page at the address, so that its first reads wait for no
 * more than the entry script. As plain modulepreload links they would be loaded for the login too.
 */
export function preloadSignedIn(names: readonly string[]): Plugin {
  return {
    name: 'preload-signed-in',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const named = chunks.filter(({ name }) => names.includes(name));
        const entry = neededBy(
          chunks.filter(({ isEntry }) => isEntry),
          chunks,
        );
        const all = neededBy(named, chunks).difference(entry);
        const pages = pagesOf(readFileSync(ROUTES, 'utf8')).map(([pattern, module]) => {
          const own = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
          if (own.length === 0) throw new Error(`No chunk holds ${module}`);
          const needed = neededBy(own, chunks).difference(entry).difference(all);
          return [pattern, addresses(needed)];
        });
        if (named.length !== names.length || pages.length === 0 || !html.includes(EMPTY)) {
          throw new Error(`index.html cannot name the chunks ${names.join(', ')}`);
        }
        const modules = JSON.stringify({ all: addresses(all), pages });
        // By a function: the patterns end in a dollar sign, which a replacement text would read.
        return html.replace(EMPTY, () => EMPTY + modules.replaceAll('"', '&quot;'));
      },
    },
  };
}
