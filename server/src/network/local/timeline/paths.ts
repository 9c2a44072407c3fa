export const LOCAL_NETWORK_PATH = '/local-network';
export const CONSENT_PATH = `${LOCAL_NETWORK_PATH}/consent`;

export function profilePath(did: string): string {
  return `${LOCAL_NETWORK_PATH}/profile/${encodeURIComponent(did)}`;
}

export function postPath(did: string, rkey: string): string {
  return `${profilePath(did)}/post/${encodeURIComponent(rkey)}`;
}
