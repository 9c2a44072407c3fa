import { compile } from '@fastify/proxy-addr';
import { canonicalAddress } from '../http/client-network.ts';

/** Whether this address, in whatever spelling and with or without a port, is a proxy of TRUST_PROXY. */
export type IsTrustedProxy = (address: string | undefined) => boolean;

export function trustedProxies(proxies: readonly string[]): IsTrustedProxy {
  if (proxies.length === 0) return () => false;
  const matches = compile([...proxies]);
  return (address) => {
    const canonical = canonicalAddress(address);
    return canonical !== null && matches(canonical, 0);
  };
}
