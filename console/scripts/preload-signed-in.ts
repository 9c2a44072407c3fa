import type { Plugin } from 'vite';

const EMPTY = '<meta name="signed-in-modules" content="';

/**
 * Names these chunks in index.html for first-paint.js, which preloads them when a token is stored.
 * As plain modulepreload links they would be loaded for the login too.
 */
export function preloadSignedIn(names: readonly string[]): Plugin {
  return {
    name: 'preload-signed-in',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && names.includes(file.name) ? [`/${file.fileName}`] : [],
        );
        if (files.length !== names.length || !html.includes(EMPTY)) {
          throw new Error(`index.html cannot name the chunks ${names.join(', ')}`);
        }
        return html.replace(EMPTY, EMPTY + files.join(' '));
      },
    },
  };
}
