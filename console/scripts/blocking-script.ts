import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Ships a classic script that index.html names by its source path. Vite bundles module scripts
 * only, and those run after the first paint. A hashed name lets it be cached for good, so that
 * on a second visit the paint waits for nothing.
 */
export function blockingScript(path: string): Plugin {
  let root = '';
  let base = '';
  let fileName = '';
  return {
    name: 'blocking-script',
    apply: 'build',
    configResolved(config) {
      ({ root, base } = config);
    },
    async buildStart() {
      const source = await readFile(join(root, path), 'utf8');
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
      fileName = `assets/first-paint-${hash}.js`;
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        if (!html.includes(path)) throw new Error(`index.html does not mention ${path}`);
        return html.replace(path, base + fileName);
      },
    },
  };
}
