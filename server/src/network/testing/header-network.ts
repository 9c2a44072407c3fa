import type { Account, Network } from '../network.ts';
import { createPdsNetwork } from '../pds.ts';
import { createTransport } from '../transport.ts';
import type { TransportOptions } from '../transport.ts';

export type HeaderNetworkOptions = TransportOptions & {
  /** The request headers of the account's session. What it rejects with reaches the caller. */
  authorize: (account: Account) => Promise<Record<string, string>>;
};

/** Hosts over HTTP whose sessions are plain headers; on this machine unless told otherwise. */
export function createHeaderNetwork({ authorize, ...options }: HeaderNetworkOptions): Network {
  const transport = createTransport({ addresses: 'loopback', ...options });
  return createPdsNetwork({
    transport,
    findHost: async () => null,
    refreshSession: async () => {},
    async sendAs(account, path, request) {
      const headers = { ...request.headers, ...(await authorize(account)) };
      return transport.request(account.host, path, { ...request, headers });
    },
  });
}
