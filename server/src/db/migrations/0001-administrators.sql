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
