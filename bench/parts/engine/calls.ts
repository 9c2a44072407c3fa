import { createHeaderNetwork } from '../../../server/src/network/testing/header-network.ts';

/** Calls at once of one process, the same in every arm. */
export const CONCURRENCY = 128;

export const sinkNetwork = () => createHeaderNetwork({ authorize: async () => ({}) });
