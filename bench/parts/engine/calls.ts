import { createPdsNetwork } from '../../../server/src/network/pds.ts';

/** Calls at once of one process, the same in every arm. */
export const CONCURRENCY = 128;

export const sinkNetwork = () =>
  createPdsNetwork({ authorize: async () => ({}), addresses: 'loopback' });
