import type { Endpoint } from '@meridian/contract/endpoint';

export type PathParams = Readonly<Record<string, string>>;
export type QueryValues = Readonly<Record<string, unknown>>;

/** The address of a call. Empty filters, a zero offset and false flags are left out. */
export function requestUrl(
  endpoint: Pick<Endpoint, 'name' | 'path'>,
  params: PathParams = {},
  query: QueryValues = {},
  base: string = import.meta.env.VITE_API_BASE_URL ?? '',
): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (!value) throw new Error(`${endpoint.name} needs the path parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      if (value) search.set(name, value.toString());
    }
  }
  const suffix = search.size > 0 ? `?${search}` : '';
  return `${base.replace(/\/+$/, '')}${path}${suffix}`;
}
