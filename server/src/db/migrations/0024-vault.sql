-- Access to accounts, encrypted by keys that are not in the database: each row has a random data key,
-- wrapped by the master key that key_id names. A copy of the database alone opens none of it.

-- The session at the authorization server of an account: tokens and the key that they are bound to. No
-- foreign key: it comes before the user does, and is revoked at the server before it goes.
CREATE TABLE oauth_sessions (
  did          text        PRIMARY KEY CHECK (length(did) <= 2048),
  key_id       text        NOT NULL CHECK (length(key_id) <= 64),
  wrapped_key  bytea       NOT NULL,
  ciphertext   bytea       NOT NULL,
  connected_at timestamptz NOT NULL DEFAULT now(),
  refreshed_at timestamptz NOT NULL DEFAULT now()
);

-- Sign-ins that have begun, until the browser comes back with their name.
CREATE TABLE oauth_states (
  state        text        PRIMARY KEY CHECK (length(state) <= 300),
  key_id       text        NOT NULL CHECK (length(key_id) <= 64),
  wrapped_key  bytea       NOT NULL,
  ciphertext   bytea       NOT NULL,
  expires_at   timestamptz NOT NULL DEFAULT now() + interval '10 minutes'
);
CREATE INDEX oauth_states_expires ON oauth_states (expires_at);

-- The key by which this service authenticates to authorization servers: one for all processes.
CREATE TABLE oauth_client_key (
  id           integer     PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  key_id       text        NOT NULL CHECK (length(key_id) <= 64),
  wrapped_key  bytea       NOT NULL,
  ciphertext   bytea       NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now()
);
