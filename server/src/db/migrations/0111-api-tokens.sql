-- API tokens: programs that act for an administrator, or for a member.

CREATE TABLE api_tokens (
  id            uuid PRIMARY KEY,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  -- The owner: an administrator, whose token has rights, or a member.
  admin_id      uuid REFERENCES admins,
  user_id       uuid REFERENCES users ON DELETE CASCADE,
  rights        text[] NOT NULL,
  -- Where members may be sent back to after their sign-in.
  origins       text[] NOT NULL DEFAULT '{}',
  -- SHA-256 of the token; the token itself is never stored.
  token_hash    bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  -- The token before the rotation, which goes on until then.
  previous_hash bytea UNIQUE CHECK (length(previous_hash) = 32),
  previous_ends timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz,
  expires_at    timestamptz NOT NULL,
  revoked_at    timestamptz,
  CHECK (num_nonnulls(admin_id, user_id) = 1)
);
CREATE INDEX api_tokens_admin ON api_tokens (admin_id);
CREATE INDEX api_tokens_user ON api_tokens (user_id);

-- A sign-in that a program began comes back to the program: first with a code, then with the member.
ALTER TABLE member_sign_ins
  ADD COLUMN token_id  uuid REFERENCES api_tokens ON DELETE CASCADE,
  ADD COLUMN return_to text CHECK (length(return_to) <= 2000),
  -- Where the browser consents, until it goes there.
  ADD COLUMN consent_address text,
  -- Who consented, until the program asks with the code.
  ADD COLUMN user_id   uuid REFERENCES users ON DELETE CASCADE;
CREATE INDEX member_sign_ins_token ON member_sign_ins (token_id);
CREATE INDEX member_sign_ins_user ON member_sign_ins (user_id);
