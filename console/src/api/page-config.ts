import {
  DEFAULT_PAGE_CONFIG,
  PAGE_CONFIG_META,
  type PageConfig,
  pageConfig as schema,
} from '@meridian/contract/page-config';

let read: PageConfig | undefined;

/** What the server told in the page that it served; another server's page tells nothing. */
export function pageConfig(): PageConfig {
  read ??= parsePageConfig(
    document.querySelector<HTMLMetaElement>(`meta[name="${PAGE_CONFIG_META}"]`)?.content,
  );
  return read;
}

export function parsePageConfig(text: string | undefined): PageConfig {
  try {
    return schema.parse(JSON.parse(text ?? ''));
  } catch {
    return DEFAULT_PAGE_CONFIG;
  }
}
