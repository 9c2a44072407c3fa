import { propertyOf } from '@meridian/contract/untrusted';
import type { Db } from '../db/database.ts';
import type { Account, Network } from '../network/network.ts';
import { listSwitchedOff, reconnectMoved, switchOn } from './accounts.store.ts';
import type { Lanes } from './lanes.ts';

type Options = {
  db: Db;
  network: Pick<Network, 'getRepoStatus' | 'findHost'>;
  lanes: Pick<Lanes, 'enter'>;
};

/** No host announces that an account is active again. While posts wait for it, its host is asked. */
export async function lookAtAccounts({ db, network, lanes }: Options): Promise<void> {
  async function isActive({ host, did }: Account): Promise<boolean> {
    const lane = await lanes.enter(host, did);
    if (lane.kind === 'put_off') return false;
    try {
      const response = await network.getRepoStatus(host, did);
      const isKnown = response.kind === 'response' && response.status === 200;
      return isKnown && propertyOf(response.body, 'active') === true;
    } finally {
      lane.leave('no call');
    }
  }
  /** Who moves leaves a deactivated account behind. */
  async function hasMoved({ host, did }: Account): Promise<boolean> {
    const named = await network.findHost(did);
    return named !== null && named !== URL.parse(host)?.origin;
  }
  const accounts = await listSwitchedOff(db);
  await Promise.all(
    accounts.map(async (account) => {
      if (await hasMoved(account)) await reconnectMoved(db, account);
      else if (await isActive(account)) await switchOn(db, account.userId);
    }),
  );
}
