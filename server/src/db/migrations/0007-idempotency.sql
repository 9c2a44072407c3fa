-- Responses of creating calls by idempotency key, for a day: a retry, because the response was lost,
-- gets the same response instead of creating a second row.
CREATE TABLE idempotency_keys (
  admin_id   uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
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
