import {
  DEFAULT_PAGE_CONFIG,
  PAGE_CONFIG_META,
  type PageConfig,
  pageConfig as schema,
} from '@meridian/contract/page-config';

let read: PageConfig | undefined;

/** The settings that the server wrote into the page, or the defaults. */
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
