import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { BuildOptions, Plugin } from 'vite';

/** How both pages are built. Their own chunks, addresses and plugins stand beside them. */

export const BACKEND = `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;

export const BUILD = {
  // The styles use light-dark(); compiling it away would double every colour.
  target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
  // The content policy knows no data: URLs, and no inline script such as the polyfill.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  sourcemap: false,
  reportCompressedSize: false,
} satisfies BuildOptions;

/** React changes far more rarely than a page, and so stays cached. */
export const REACT_CHUNK = {
  name: 'react',
  priority: 4,
  test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/,
};

/** Of sources and styles, whether they are built, served or tested. */
export const sourcePlugins = () => [react(), tailwindcss()];

export function plugins(...own: Plugin[]) {
  return [
    ...sourcePlugins(),
    blockingScript('/src/first-paint.js'),
    ...own,
    dropFallbacks(),
    precompress(),
  ];
}

/**
 * Ships a classic script that index.html names by its source path. Vite bundles module scripts
 * only, and those run after the first paint. A hashed name lets it be cached for good, so that
 * on a second visit the paint waits for nothing.
 */
function blockingScript(path: string): Plugin {
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

/** Initial values of custom properties, for browsers without `@property`. */
const REGISTERED = /@layer properties\s*\{\s*@supports [^{]*\{[^{}]*\{[^{}]*\}\s*\}\s*\}/gu;
/** The same color without transparency stands before it, for browsers without `color-mix()`. */
const MIXED =
  /@supports \(color:\s*color-mix\(in lab, red, red\)\)\s*\{((?:[^{}]*\{[^{}]*\})+)\s*\}/gu;

/**
 * Leaves out what Tailwind writes for browsers older than `build.target`: it has no option for that, and the
 * page of members has a limit. Stands after its plugin.
 */
function dropFallbacks(): Plugin {
  return {
    name: 'drop-fallbacks',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css$/u },
      handler: (code) => code.replaceAll(REGISTERED, '').replaceAll(MIXED, '$1'),
    },
  };
}

const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt']);
/** Smaller files gain too little for a second copy of them. */
const SMALLEST_BYTES = 256;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compressFile(path: string): Promise<void> {
  const source = await readFile(path);
  if (source.byteLength < SMALLEST_BYTES) return;
  const [br, gz] = await Promise.all([
    brotli(source, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: source.byteLength,
        // Smaller blocks than it would choose: they suit code, which changes its vocabulary often.
        [constants.BROTLI_PARAM_LGBLOCK]: 16,
      },
    }),
    gzipped(source, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}

/** Writes `.br` and `.gz` beside every compressible file, so that the server never compresses. */
function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    // After the bundle, as the files of the public folder are to be included.
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        const files = await readdir(outDir, { recursive: true });
        const targets = files.filter((file) => COMPRESSIBLE.has(extname(file)));
        await Promise.all(targets.map((file) => compressFile(join(outDir, file))));
      },
    },
  };
}
