import type { Endpoint } from '@meridian/contract/endpoint';
import type { SignedIn, TestApp } from '../app.ts';
import type { CallOptions } from '../call.ts';

type Options = CallOptions<Endpoint>;

/** A call that changes something, and what the record has to say of it. */
export type Change = {
  call: Options;
  /** Of what changes; undefined when the call makes it, null when it is nothing with an id. */
  id?: string | null;
  /** Of a call that makes another change: the action of that one. */
  action?: string;
  before: unknown;
  after: unknown;
  /** The same call, so that it is refused; null when only a missing session could be the reason. */
  refused: Options | null;
};

/** Makes what is to be changed. The administrator is new and not used elsewhere. */
export type Prepare = (test: TestApp, admin: SignedIn) => Promise<Change>;

export const UNKNOWN = { id: '01890000-0000-7000-8000-000000000000' };
