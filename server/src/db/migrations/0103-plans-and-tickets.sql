-- Currencies, plans and their prices, tickets, and the plans that users have.

CREATE TABLE currencies (
  id             uuid PRIMARY KEY,
  code           text NOT NULL UNIQUE CHECK (code ~ '^[a-z]{3}$'),
  name           text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  symbol         text NOT NULL CHECK (length(symbol) BETWEEN 1 AND 8),
  use_decimals   boolean NOT NULL DEFAULT true,
  decimal_places integer NOT NULL DEFAULT 2 CHECK (decimal_places BETWEEN 0 AND 4),
  display_order  integer NOT NULL DEFAULT 999 CHECK (display_order >= 0),
  is_active      boolean NOT NULL DEFAULT true,
  created_at     timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX currencies_order ON currencies (display_order, code);

CREATE TABLE plans (
  id            uuid PRIMARY KEY,
  tier          text NOT NULL CHECK (tier IN ('FREE', 'BASIC', 'PREMIUM', 'ENTERPRISE')),
  name          text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  -- Texts by language.
  display_name  jsonb NOT NULL CHECK (jsonb_typeof(display_name) = 'object' AND display_name ->> 'en' <> ''),
  description   jsonb NOT NULL CHECK (jsonb_typeof(description) = 'object' AND description ->> 'en' <> ''),
  currency      text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
  limits        jsonb NOT NULL CHECK (jsonb_typeof(limits) = 'object'),
  -- Lists of texts by language.
  features      jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(features) = 'object'),
  display_order integer NOT NULL DEFAULT 0 CHECK (display_order >= 0),
  is_active     boolean NOT NULL DEFAULT true,
  is_visible    boolean NOT NULL DEFAULT true,
  version       integer NOT NULL DEFAULT 1,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX plans_order ON plans (display_order, id);

-- A plan is paid exactly when it has monthly prices.
CREATE TABLE plan_prices (
  plan_id       uuid NOT NULL REFERENCES plans ON DELETE CASCADE,
  period        text NOT NULL CHECK (period IN ('monthly', 'yearly')),
  currency_code text NOT NULL REFERENCES currencies (code),
  amount        numeric(12, 4) NOT NULL CHECK (amount BETWEEN 0 AND 99999999),
  PRIMARY KEY (plan_id, period, currency_code)
);
CREATE INDEX plan_prices_currency ON plan_prices (currency_code);

CREATE TABLE tickets (
  id                  uuid PRIMARY KEY,
  code                text NOT NULL UNIQUE
                      CHECK (code ~ '^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$'),
  -- As stored; past the redemption deadline a ticket counts as EXPIRED whatever stands here.
  status              text NOT NULL DEFAULT 'UNUSED'
                      CHECK (status IN ('UNUSED', 'ACTIVE', 'EXPIRED', 'REVOKED')),
  plan_id             uuid NOT NULL REFERENCES plans,
  issuer_id           uuid NOT NULL REFERENCES admins,
  valid_days          integer NOT NULL CHECK (valid_days BETWEEN 1 AND 3650),
  max_redemptions     integer CHECK (max_redemptions BETWEEN 1 AND 10000),
  redemption_count    integer NOT NULL DEFAULT 0 CHECK (redemption_count >= 0),
  issued_at           timestamptz NOT NULL DEFAULT now(),
  redemption_deadline timestamptz,
  updated_at          timestamptz NOT NULL DEFAULT now(),
  memo                text CHECK (length(memo) BETWEEN 1 AND 1000),
  -- Of the plan's limits, those that this ticket replaces.
  limits_override     jsonb CHECK (jsonb_typeof(limits_override) = 'object' AND limits_override <> '{}'),
  CONSTRAINT tickets_within_maximum CHECK (max_redemptions IS NULL OR redemption_count <= max_redemptions),
  CONSTRAINT tickets_revoked_unused CHECK (status <> 'REVOKED' OR redemption_count = 0),
  CONSTRAINT tickets_unused_means_unredeemed CHECK (status <> 'UNUSED' OR redemption_count = 0),
  CONSTRAINT tickets_active_means_redeemed CHECK (status <> 'ACTIVE' OR redemption_count > 0)
);
-- With status and deadline, which say what a ticket counts as, a page passes over tickets of another
-- status without reading their rows.
CREATE INDEX tickets_listed ON tickets (issued_at, id) INCLUDE (status, redemption_deadline);
CREATE INDEX tickets_plan ON tickets (plan_id);
CREATE INDEX tickets_issuer ON tickets (issuer_id);
-- For the search. Plans and issuers are few and found without an index.
CREATE INDEX tickets_code_part ON tickets USING gin (lower(code) gin_trgm_ops);
CREATE INDEX tickets_memo_part ON tickets USING gin (lower(memo) gin_trgm_ops);

CREATE TABLE plan_assignments (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  plan_id      uuid NOT NULL REFERENCES plans,
  ticket_id    uuid REFERENCES tickets,
  status       text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'EXPIRED', 'REVOKED')),
  activated_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz CHECK (expires_at > activated_at),
  revoked_at   timestamptz CHECK ((revoked_at IS NOT NULL) = (status = 'REVOKED')),
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- One user redeems a ticket once.
  UNIQUE (ticket_id, user_id)
);
CREATE INDEX plan_assignments_user ON plan_assignments (user_id, created_at, id);
CREATE INDEX plan_assignments_plan ON plan_assignments (plan_id);
-- For what happened since a visit.
CREATE INDEX plan_assignments_redeemed ON plan_assignments (created_at) WHERE ticket_id IS NOT NULL;
