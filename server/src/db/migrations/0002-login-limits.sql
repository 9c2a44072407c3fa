-- Counters that slow down guessing. They live here and not in memory, so that neither a restart
-- nor a second process gives a guesser a fresh budget.
CREATE TABLE attempt_buckets (
  -- SHA-256 of what is counted (name, network, administrator): what people type as a name by
  -- mistake is sometimes their password.
  key           bytea PRIMARY KEY CHECK (length(key) = 32),
  attempts      integer NOT NULL,
  started_at    timestamptz NOT NULL,
  blocked_until timestamptz,
  -- Whether the latest attempt was let through, for whoever made it.
  allowed       boolean NOT NULL,
  updated_at    timestamptz NOT NULL
);
CREATE INDEX attempt_buckets_age ON attempt_buckets (updated_at);

-- Networks an administrator has signed in from. Strangers cannot lock these out.
CREATE TABLE admin_networks (
  admin_id   uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
  network    text NOT NULL CHECK (length(network) <= 64),
  last_login_at timestamptz NOT NULL,
  PRIMARY KEY (admin_id, network)
);
