import { DEFAULT_PAGE_CONFIG } from '@meridian/contract/page-config';
import type { Config } from '../../config.ts';

export const LOCAL_NETWORK_PATH = '/local-network';
export const CONSENT_PATH = `${LOCAL_NETWORK_PATH}/consent`;

export function profilePath(did: string): string {
  return `${LOCAL_NETWORK_PATH}/profile/${encodeURIComponent(did)}`;
}

export function postPath(did: string, rkey: string): string {
  return `${profilePath(did)}/post/${encodeURIComponent(rkey)}`;
}

/** No local network is served in front of another service. */
export function networkUrlOf({ network, upstreamApi }: Config): string {
  const isLocal = network === 'local' && upstreamApi === null;
  return isLocal ? LOCAL_NETWORK_PATH : DEFAULT_PAGE_CONFIG.networkUrl;
}
