-- The users of the service and the posts they schedule.

-- Trigrams find any part of a text. Trusted since PostgreSQL 13: the owner may create the extension.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE users (
  id                        uuid PRIMARY KEY,
  did                       text NOT NULL UNIQUE CHECK (length(did) BETWEEN 8 AND 2048 AND did LIKE 'did:%'),
  -- Not unique: an account whose handle no longer resolves carries 'handle.invalid'.
  handle                    text NOT NULL CHECK (length(handle) BETWEEN 1 AND 253),
  display_name              text CHECK (length(display_name) <= 640),
  avatar                    text CHECK (length(avatar) <= 2048),
  status                    text NOT NULL DEFAULT 'ACTIVE'
                            CHECK (status IN ('ACTIVE', 'RESTRICTED', 'SUSPENDED', 'BLOCKED')),
  is_active                 boolean NOT NULL DEFAULT true,
  has_access_keyword_access boolean NOT NULL DEFAULT false,
  upgrade_prohibited        boolean NOT NULL DEFAULT false,
  created_at                timestamptz NOT NULL DEFAULT now(),
  updated_at                timestamptz NOT NULL DEFAULT now(),
  -- Raised by every change, so that a change made from an old version is refused.
  version                   integer NOT NULL DEFAULT 1,
  -- One index finds any part of either. Neither can contain the line break between them.
  search_text               text NOT NULL GENERATED ALWAYS AS (lower(handle || E'\n' || did)) STORED
);
CREATE INDEX users_created ON users (created_at, id);
CREATE INDEX users_status_created ON users (status, created_at, id);
-- Entries not merged yet are read whole by every search: at most 256 kB of them instead of 4 MB.
CREATE INDEX users_search ON users
  USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX users_display_name_part ON users
  USING gin (lower(display_name) gin_trgm_ops) WITH (gin_pending_list_limit = 256);
-- Mentions are looked up by handle.
CREATE INDEX users_handle ON users (lower(handle));

CREATE TABLE posts (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  content      text NOT NULL CHECK (length(content) <= 10000),
  -- The network's own records, as the user's client sent them.
  facets       jsonb CHECK (jsonb_typeof(facets) = 'array'),
  embed        jsonb CHECK (jsonb_typeof(embed) = 'object'),
  languages    text[] NOT NULL DEFAULT '{}',
  status       text NOT NULL DEFAULT 'PENDING'
               CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  scheduled_at timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  executed_at  timestamptz,
  at_uri       text CHECK (length(at_uri) <= 2600),
  at_rkey      text CHECK (length(at_rkey) <= 512),
  error_msg    text CHECK (length(error_msg) <= 4000),
  version      integer NOT NULL DEFAULT 1,
  -- When the engine looks at the post next. Null: not the engine's. Infinity: held.
  claim_at     timestamptz,
  -- The fencing number, raised by every claim: a worker that lost its lease can settle nothing.
  attempt      integer NOT NULL DEFAULT 0,
  -- Why a post waits; the words are HOLDS of the contract.
  hold         text CHECK (length(hold) <= 40),
  -- Why it failed or is late; the words are CAUSES of the contract.
  cause        text CHECK (length(cause) <= 40),
  -- AT URI of the post it replies to.
  reply_to     text CHECK (length(reply_to) <= 2600),
  -- The further posts of a thread: content, facets, embed and languages of each. One row, because a
  -- thread is published in one call, whole or not at all.
  thread       jsonb CHECK (jsonb_typeof(thread) = 'array' AND jsonb_array_length(thread) BETWEEN 1 AND 24),
  -- The failed post that this one repeats. No foreign key: it would make every delete of a post look for a
  -- retry, and a reader that finds no such post shows no link.
  retry_of     uuid
);
-- One index per sort, alone and behind the status filter, read backwards for the other direction. The
-- author is in each, so that a search for people reads no other rows than it shows.
CREATE INDEX posts_scheduled ON posts (scheduled_at, id) INCLUDE (user_id);
CREATE INDEX posts_created ON posts (created_at, id) INCLUDE (user_id);
CREATE INDEX posts_status_scheduled ON posts (status, scheduled_at, id) INCLUDE (user_id);
CREATE INDEX posts_status_created ON posts (status, created_at, id) INCLUDE (user_id);
CREATE INDEX posts_user_scheduled ON posts (user_id, scheduled_at, id) INCLUDE (status, created_at);
CREATE INDEX posts_claim ON posts (claim_at) WHERE claim_at IS NOT NULL;
CREATE INDEX posts_held ON posts (user_id) WHERE claim_at = 'infinity';
-- Only of posts that have a key: with all of them, every claim would write to a page of it for each user.
CREATE UNIQUE INDEX posts_record_key ON posts (user_id, at_rkey) WHERE at_rkey IS NOT NULL;
-- One retry of a post, also when two requests ask for it at the same moment.
CREATE UNIQUE INDEX posts_retry_of ON posts (retry_of) WHERE retry_of IS NOT NULL;
-- The indexes of filtered lists are partial: a post that goes from PENDING to PROCESSING to COMPLETED enters
-- none of them. Each holds every column that its list is sorted by, and so answers it alone.
CREATE INDEX posts_failed_at ON posts (coalesce(executed_at, updated_at)) WHERE status = 'FAILED';
CREATE INDEX posts_failed_cause ON posts (coalesce(cause, ''), scheduled_at, id) INCLUDE (cause, created_at, status)
  WHERE status = 'FAILED';
CREATE INDEX posts_hold ON posts (hold, scheduled_at, id) INCLUDE (created_at, status) WHERE hold IS NOT NULL;
