import { DEFAULT_PAGE_CONFIG } from '@meridian/contract/page-config';
import type { Config } from '../config.ts';
import { LOCAL_NETWORK_PATH } from './local/timeline/paths.ts';

/** Where published posts are shown. No local network is served in front of another service. */
export function networkUrlOf({ network, upstreamApi }: Config): string {
  const isLocal = network === 'local' && upstreamApi === null;
  return isLocal ? LOCAL_NETWORK_PATH : DEFAULT_PAGE_CONFIG.networkUrl;
}
