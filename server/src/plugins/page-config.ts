import { brotliCompressSync, gzipSync } from 'node:zlib';
import { PAGE_CONFIG_META } from '@meridian/contract/page-config';
import type { PageConfig } from '@meridian/contract/page-config';
import type { ConsoleFile, Encoding } from './console-files.ts';

/** As the console's page has it; built or served by another server it stays empty. */
const EMPTY = new RegExp(`(<meta name="${PAGE_CONFIG_META}" content=")(?=")`);
const COMPRESS: Record<Encoding, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliCompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes),
};

/** The console's page with what it has to know of this server, in every encoding it was built in. */
export function configuredPage(page: ConsoleFile, config: PageConfig): ConsoleFile {
  const content = escapeAttribute(JSON.stringify(config));
  const html = page.plain.toString('utf8').replace(EMPTY, (start) => start + content);
  const plain = Buffer.from(html);
  const encoded = [...page.encoded.keys()].map(
    (encoding) => [encoding, COMPRESS[encoding](plain)] as const,
  );
  return { ...page, plain, encoded: new Map(encoded) };
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
