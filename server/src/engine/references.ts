import { isDid, propertyOf } from '@meridian/contract/untrusted';
import { POST_COLLECTION } from '../network/network.ts';
import type { Account, Network } from '../network/network.ts';
import type { Reply, StrongRef } from './record.ts';
import { ruleFor } from './response-rules.ts';
import { invalid, Unprepared } from './unprepared.ts';

type Found = StrongRef & { value: unknown };

/** `InvalidRequest` is what the network says of a repository that was deleted, deactivated or taken down. */
const GONE = new Set([
  'RecordNotFound',
  'RepoNotFound',
  'RepoTakendown',
  'RepoDeactivated',
  'InvalidRequest',
]);
const CID = /^b[a-z2-7]{20,120}$/u;

/** Also of what a host responds with: the journal takes no NUL and no half of a surrogate pair. */
const ADDRESS = new RegExp(
  `^at://([a-zA-Z0-9._:%-]+)/${POST_COLLECTION.replaceAll('.', '\\.')}/([a-zA-Z0-9_~.:-]{1,512})$`,
  'u',
);

/** Finds the posts that a post refers to, asking the author's own host. */
export function createReferences(network: Pick<Network, 'getRecord'>, { host }: Account) {
  const find = async (uri: string): Promise<Found> => {
    const { repo, rkey } = addressOf(uri);
    const response = await network.getRecord(host, repo, rkey);
    if (response.kind === 'response') {
      const cid = propertyOf(response.body, 'cid');
      if (response.status === 200 && isCid(cid)) {
        return { uri, cid, value: propertyOf(response.body, 'value') };
      }
      if (response.status < 500 && GONE.has(response.error ?? '')) {
        throw new Unprepared('failed', 'parent_gone', { uri });
      }
    }
    const { rule, facts } = ruleFor(response, 'getRecord');
    const isPassing = rule.action === 'backoff' || rule.action === 'limited';
    throw new Unprepared('retry', isPassing ? rule.cause : 'host_down', { host, ...facts });
  };

  return {
    async quote(uri: string): Promise<StrongRef> {
      const { cid } = await find(uri);
      return { uri, cid };
    },

    /** The root is the one that the parent names, so that the reply joins its thread. */
    async reply(uri: string): Promise<Reply> {
      const { cid, value } = await find(uri);
      const parent = { uri, cid };
      const root = propertyOf(propertyOf(value, 'reply'), 'root');
      return { root: strongRefOf(root) ?? parent, parent };
    },
  };
}

function addressOf(uri: string): { repo: string; rkey: string } {
  const [, repo, rkey] = ADDRESS.exec(uri) ?? [];
  if (!isDid(repo) || rkey === undefined) {
    throw invalid('What it replies to or quotes is not the address of a post');
  }
  return { repo, rkey };
}

function isCid(value: unknown): value is string {
  return typeof value === 'string' && CID.test(value);
}

function strongRefOf(value: unknown): StrongRef | null {
  const uri = propertyOf(value, 'uri');
  const cid = propertyOf(value, 'cid');
  return typeof uri === 'string' && ADDRESS.test(uri) && isCid(cid) ? { uri, cid } : null;
}
