-- The people who schedule: their sessions, sign-ins under way, rate limits, and access keywords.

CREATE TABLE member_sessions (
  -- SHA-256 of the token; the token itself is never stored.
  token_hash   bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL
);
CREATE INDEX member_sessions_user ON member_sessions (user_id);
CREATE INDEX member_sessions_expiry ON member_sessions (expires_at);

-- Keywords let newcomers in while the service is in closed beta. As text: operators hand them out.
CREATE TABLE access_keywords (
  id         uuid PRIMARY KEY,
  -- Canonical form (NFKC, trimmed, lower case), so that case does not matter.
  word       text NOT NULL UNIQUE CHECK (word = lower(word) AND length(word) BETWEEN 6 AND 64),
  uses       integer NOT NULL DEFAULT 0,
  -- Null: any number.
  max_uses   integer CHECK (max_uses >= 1),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_by uuid NOT NULL REFERENCES admins,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT access_keywords_never_overused CHECK (uses BETWEEN 0 AND max_uses OR max_uses IS NULL)
);
CREATE INDEX access_keywords_created ON access_keywords (created_at);
CREATE INDEX access_keywords_created_by ON access_keywords (created_by);

CREATE FUNCTION access_keyword_status(keyword access_keywords) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN keyword.revoked_at IS NOT NULL THEN 'REVOKED'
    WHEN keyword.expires_at <= now() THEN 'EXPIRED'
    WHEN keyword.uses >= keyword.max_uses THEN 'USED_UP'
    ELSE 'ACTIVE'
  END
$$;

-- A sign-in between the request and the return from the account's host. Deleted when it is used.
CREATE TABLE member_sign_ins (
  state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
  keyword_id uuid REFERENCES access_keywords,
  expires_at timestamptz NOT NULL
);
CREATE INDEX member_sign_ins_expiry ON member_sign_ins (expires_at);
CREATE INDEX member_sign_ins_keyword ON member_sign_ins (keyword_id);

-- Changes of a person in the current window, for api_rate_limit_per_hour.
CREATE TABLE member_rates (
  user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  used       integer NOT NULL
) WITH (fillfactor = 50);
