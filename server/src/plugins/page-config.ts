import { PAGE_CONFIG_META } from '@meridian/contract/page-config';
import type { PageConfig } from '@meridian/contract/page-config';
import { escapeHtml } from '../http/escape-html.ts';

/** As the console's page has it; built or served by another server it stays empty. */
const EMPTY = new RegExp(`(<meta name="${PAGE_CONFIG_META}" content=")(?=")`);

/** The console's page with what it has to know of this server. */
export function configuredPage(html: string, config: PageConfig): string {
  const content = escapeHtml(JSON.stringify(config));
  return html.replace(EMPTY, (start) => start + content);
}
