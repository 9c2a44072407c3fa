-- The users of the service and the posts they schedule.

-- Trigrams find any part of a text. Trusted since PostgreSQL 13: the owner may create the extension.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Versions: a change made from an old version is refused. Raised for every program that writes, also
-- one that knows no versions. A program that sets the version is left alone, and an update that
-- changes nothing is no change.
CREATE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;

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

-- Columns by name: a trigger before the update does not know the generated column yet.
CREATE TRIGGER users_version_rises BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.version = OLD.version AND
        (NEW.did, NEW.handle, NEW.display_name, NEW.avatar, NEW.status, NEW.is_active,
         NEW.has_access_keyword_access, NEW.upgrade_prohibited, NEW.created_at, NEW.updated_at)
        IS DISTINCT FROM
        (OLD.did, OLD.handle, OLD.display_name, OLD.avatar, OLD.status, OLD.is_active,
         OLD.has_access_keyword_access, OLD.upgrade_prohibited, OLD.created_at, OLD.updated_at))
  EXECUTE FUNCTION raise_version();

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
  UNIQUE (user_id, at_rkey)
);
-- One index per sort, alone and behind the status filter, read backwards for the other direction. The
-- author is in each, so that a search for people reads no other rows than it shows.
CREATE INDEX posts_scheduled ON posts (scheduled_at, id) INCLUDE (user_id);
CREATE INDEX posts_created ON posts (created_at, id) INCLUDE (user_id);
CREATE INDEX posts_status_scheduled ON posts (status, scheduled_at, id) INCLUDE (user_id);
CREATE INDEX posts_status_created ON posts (status, created_at, id) INCLUDE (user_id);
CREATE INDEX posts_user_scheduled ON posts (user_id, scheduled_at, id) INCLUDE (status, created_at);

CREATE TRIGGER posts_version_rises BEFORE UPDATE ON posts FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.* IS DISTINCT FROM OLD.*) EXECUTE FUNCTION raise_version();

CREATE FUNCTION refuse_final_post_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a % post is final', OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'posts_final_status';
END $$;
CREATE TRIGGER posts_final_status BEFORE UPDATE OF status ON posts FOR EACH ROW
  WHEN (OLD.status IN ('COMPLETED', 'FAILED') AND NEW.status <> OLD.status)
  EXECUTE FUNCTION refuse_final_post_change();
