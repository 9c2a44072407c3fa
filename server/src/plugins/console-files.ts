import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Encoding = 'br' | 'gzip';
export type ConsoleFile = {
  contentType: string;
  etag: string;
  /** Its name changes with its content, so it may be kept for ever. */
  isHashed: boolean;
  plain: Buffer;
  encoded: ReadonlyMap<Encoding, Buffer>;
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const SIBLINGS: readonly [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/**
 * The built console by URL path, all of it in memory: a look-up that is no file path cannot be led
 * out of the folder, and a rebuild under a running server does not mix two versions.
 */
export async function readConsole(directory: URL): Promise<ReadonlyMap<string, ConsoleFile>> {
  const files = await readFolder(fileURLToPath(directory));
  const isSibling = (path: string) =>
    SIBLINGS.some(
      ([, suffix]) => path.endsWith(suffix) && files.has(path.slice(0, -suffix.length)),
    );
  const served = [...files].filter(([path]) => !isSibling(path));
  return new Map(served.map(([path, plain]) => [path, describe(path, plain, files)]));
}

function describe(path: string, plain: Buffer, files: Map<string, Buffer>): ConsoleFile {
  const encoded = SIBLINGS.flatMap(([encoding, suffix]) => {
    const bytes = files.get(path + suffix);
    return bytes === undefined ? [] : [[encoding, bytes] as const];
  });
  return {
    contentType: TYPES[extname(path)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
    isHashed: path.startsWith('/assets/'),
    plain,
    encoded: new Map(encoded),
  };
}

async function readFolder(root: string): Promise<Map<string, Buffer>> {
  const entries = await entriesOf(root);
  const files = entries.filter((entry) => entry.isFile());
  const pairs = files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(root, file).split(sep).join('/')}`;
    return [path, await readFile(file)] as const;
  });
  return new Map(await Promise.all(pairs));
}

async function entriesOf(root: string) {
  try {
    return await readdir(root, { recursive: true, withFileTypes: true });
  } catch (error) {
    // Never built: an empty console, about which the page itself informs.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
