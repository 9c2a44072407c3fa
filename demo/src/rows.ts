import type { Cause } from '@meridian/contract/cause-words';
import type { PostStatus } from '@meridian/contract/posts';
import type { UserStatus } from '@meridian/contract/users';

/** The value of a jsonb column. Encoded once: a bulk load uses the same one many times. */
export class Json {
  readonly text: string;

  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
/** Rows as they are copied into the tables; instants are ISO 8601 text. */
export type Cell = string | number | boolean | null | readonly string[] | Json;

export type UserRow = {
  id: string;
  did: string;
  handle: string;
  display_name: string | null;
  avatar: string | null;
  status: UserStatus;
  is_active: boolean;
  has_access_keyword_access: boolean;
  upgrade_prohibited: boolean;
  created_at: string;
  updated_at: string;
};

export type PostRow = {
  id: string;
  user_id: string;
  content: string;
  facets: Json | null;
  embed: Json | null;
  languages: readonly string[];
  status: PostStatus;
  scheduled_at: string;
  created_at: string;
  updated_at: string;
  executed_at: string | null;
  at_uri: string | null;
  at_rkey: string | null;
  error_msg: string | null;
  /** A word of `CAUSES`; null where the engine would know none. */
  cause: Cause | null;
  reply_to: string | null;
  thread: Json | null;
};
