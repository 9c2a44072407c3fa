-- The members, who schedule: their sessions, sign-ins under way, rate limits, access keywords and access to accounts.

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

-- A sign-in between the request and the return from the account's host. Deleted when it is used.
CREATE TABLE member_sign_ins (
  state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
  keyword_id uuid REFERENCES access_keywords,
  expires_at timestamptz NOT NULL
);
CREATE INDEX member_sign_ins_expiry ON member_sign_ins (expires_at);
CREATE INDEX member_sign_ins_keyword ON member_sign_ins (keyword_id);

-- Changes of a member in the current window, for api_rate_limit_per_hour.
CREATE TABLE member_rates (
  user_id    uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  used       integer NOT NULL
) WITH (fillfactor = 50);

-- Access to accounts, encrypted by keys that are not in the database: each row has a random data key,
-- wrapped by the master key that key_id names. A copy of the database alone opens none of it.

-- The session at the authorization server of an account: tokens and the key that they are bound to. No
-- foreign key: it comes before the user does, and is revoked at the server before it goes.
CREATE TABLE oauth_sessions (
  did          text PRIMARY KEY CHECK (length(did) <= 2048),
  key_id       text NOT NULL CHECK (length(key_id) <= 64),
  wrapped_key  bytea NOT NULL,
  ciphertext   bytea NOT NULL,
  connected_at timestamptz NOT NULL DEFAULT now(),
  refreshed_at timestamptz NOT NULL DEFAULT now()
);

-- Sign-ins that have begun, until the browser comes back with their name.
CREATE TABLE oauth_states (
  state       text PRIMARY KEY CHECK (length(state) <= 300),
  key_id      text NOT NULL CHECK (length(key_id) <= 64),
  wrapped_key bytea NOT NULL,
  ciphertext  bytea NOT NULL,
  expires_at  timestamptz NOT NULL DEFAULT now() + interval '10 minutes'
);
CREATE INDEX oauth_states_expires ON oauth_states (expires_at);

-- The key by which this service authenticates to authorization servers: one for all processes.
CREATE TABLE oauth_client_key (
  id          integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  key_id      text NOT NULL CHECK (length(key_id) <= 64),
  wrapped_key bytea NOT NULL,
  ciphertext  bytea NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
