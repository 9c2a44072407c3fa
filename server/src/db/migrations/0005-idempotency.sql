-- What creating calls answered under a key of the caller's choice, for a day: the same call made
-- again, because its answer was lost, gets this answer instead of a second thing.
CREATE TABLE idempotency_keys (
  admin_id   uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
  call       text NOT NULL CHECK (length(call) BETWEEN 1 AND 64),
  key        text NOT NULL CHECK (key ~ '^[\x21-\x7e]{1,255}$'),
  -- SHA-256 of what was asked for: one key stands for one content.
  body_hash  bytea NOT NULL CHECK (length(body_hash) = 32),
  -- Not jsonb: it is given back as it was.
  answer     json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (admin_id, call, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
