-- Administrators, their sessions, and the limits on signing in.

CREATE TABLE admins (
  id            uuid PRIMARY KEY,
  -- Canonical form (NFKC, trimmed, lower case), so that one person has one spelling.
  username      text NOT NULL UNIQUE CHECK (username = lower(username) AND length(username) BETWEEN 1 AND 64),
  display_name  text CHECK (length(display_name) BETWEEN 1 AND 100),
  password_hash text NOT NULL CHECK (password_hash LIKE '$%'),
  -- Raised to end every session of this administrator at once.
  session_epoch integer NOT NULL DEFAULT 0,
  disabled_at   timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE admin_sessions (
  -- SHA-256 of the token; the token itself is never stored.
  token_hash   bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  admin_id     uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
  epoch        integer NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  revoked_at   timestamptz
);
CREATE INDEX admin_sessions_admin ON admin_sessions (admin_id, created_at);
CREATE INDEX admin_sessions_expiry ON admin_sessions (expires_at);

-- Rate limit buckets of sign-in attempts. In the database and not in memory, so that neither a restart
-- nor a second process gives an attacker a fresh budget.
CREATE TABLE attempt_buckets (
  -- SHA-256 of what is counted (name, network, administrator): what people type as a name by
  -- mistake is sometimes their password.
  key           bytea PRIMARY KEY CHECK (length(key) = 32),
  attempts      integer NOT NULL,
  started_at    timestamptz NOT NULL,
  blocked_until timestamptz,
  -- Whether the latest attempt was let through.
  allowed       boolean NOT NULL,
  updated_at    timestamptz NOT NULL,
  -- Refusals in a row: the first is an entry of the audit log, the rest would only fill it.
  refusals      integer NOT NULL DEFAULT 0
);
CREATE INDEX attempt_buckets_age ON attempt_buckets (updated_at);

-- Networks an administrator has signed in from. Attempts from other networks cannot lock these out.
CREATE TABLE admin_networks (
  admin_id      uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
  network       text NOT NULL CHECK (length(network) <= 64),
  last_login_at timestamptz NOT NULL,
  PRIMARY KEY (admin_id, network)
);

-- When an administrator was last here. A request after a gap begins another visit, and `since` is the end
-- of the one before.
CREATE TABLE admin_visits (
  admin_id uuid PRIMARY KEY REFERENCES admins ON DELETE CASCADE,
  seen_at  timestamptz NOT NULL,
  since    timestamptz
);

-- What one administrator leaves for the next: one text, replaced by the next one.
CREATE TABLE handover (
  id         integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  text       text NOT NULL DEFAULT '' CHECK (length(text) <= 1000),
  author     text CHECK (length(author) <= 64),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version    integer NOT NULL DEFAULT 1
);
INSERT INTO handover DEFAULT VALUES;

-- Responses of creating calls by idempotency key, for a day: a retry, because the response was lost,
-- gets the same response instead of creating a second row.
CREATE TABLE idempotency_keys (
  -- Of the administrator, or of the member.
  admin_id   uuid NOT NULL,
  call       text NOT NULL CHECK (length(call) BETWEEN 1 AND 64),
  key        text NOT NULL CHECK (key ~ '^[\x21-\x7e]{1,255}$'),
  -- SHA-256 of the request body: one key stands for one content.
  body_hash  bytea NOT NULL CHECK (length(body_hash) = 32),
  -- Not jsonb, which would reorder it: it is sent again byte for byte.
  answer     json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (admin_id, call, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
