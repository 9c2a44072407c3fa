import {
  DEFAULT_PAGE_CONFIG,
  imageSources,
  PAGE_CONFIG_META,
} from '@meridian/contract/page-config';
import type { PageConfig } from '@meridian/contract/page-config';
import type { Config } from '../config.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { networkUrlOf } from '../network/network-url.ts';

/** As the console's page has it; built or served by another server it stays empty. */
const EMPTY = new RegExp(`(<meta name="${PAGE_CONFIG_META}" content=")(?=")`);

/** The console's page with what it has to know of this server. */
export function configuredPage(html: string, config: PageConfig): string {
  const content = escapeHtml(JSON.stringify(config));
  return html.replace(EMPTY, (start) => start + content);
}

/** What the console has to know of this server before its first request. */
export function pageConfigOf(config: Config): PageConfig {
  const { cdnBaseUrl, imageHosts, consoleApi, upstreamApi } = config;
  const isOwnApi = consoleApi === null && upstreamApi === null;
  return {
    cdnBaseUrl: cdnBaseUrl?.href.replace(/\/?$/, '/') ?? DEFAULT_PAGE_CONFIG.cdnBaseUrl,
    imageSources: imageSources(cdnBaseUrl?.origin ?? null, imageHosts),
    // Sessions of another origin's API are unknown here.
    canLoadPictures: consoleApi === null,
    networkUrl: networkUrlOf(config),
    passwordMinLength: (isOwnApi ? config : DEFAULT_PAGE_CONFIG).passwordMinLength,
  };
}
