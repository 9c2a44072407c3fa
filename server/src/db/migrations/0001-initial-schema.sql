-- Trigrams find any part of a handle or DID. Trusted since PostgreSQL 13: the owner may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Administrators and their sessions ---------------------------------------------------------------

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

-- Users of the service ----------------------------------------------------------------------------

CREATE TABLE users (
  id                        uuid PRIMARY KEY,
  did                       text NOT NULL UNIQUE CHECK (length(did) BETWEEN 8 AND 2048 AND did LIKE 'did:%'),
  -- Not unique: an account whose handle no longer resolves carries 'handle.invalid'.
  handle                    text NOT NULL CHECK (length(handle) BETWEEN 1 AND 253),
  display_name              text CHECK (length(display_name) <= 640),
  avatar                    text CHECK (length(avatar) <= 2048),
  status                    text NOT NULL DEFAULT 'ACTIVE'
                            CHECK (status IN ('ACTIVE', 'RESTRICTED', 'SUSPENDED', 'BLOCKED')),
  is_active                 boolean NOT NULL DEFAULT true,
  has_access_keyword_access boolean NOT NULL DEFAULT false,
  upgrade_prohibited        boolean NOT NULL DEFAULT false,
  created_at                timestamptz NOT NULL DEFAULT now(),
  updated_at                timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX users_created ON users (created_at, id);
CREATE INDEX users_status_created ON users (status, created_at, id);
CREATE INDEX users_handle_part ON users USING gin (lower(handle) gin_trgm_ops);
CREATE INDEX users_did_part ON users USING gin (lower(did) gin_trgm_ops);

-- Scheduled posts ---------------------------------------------------------------------------------

CREATE TABLE posts (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  content      text NOT NULL CHECK (length(content) <= 10000),
  -- The network's own records, as the user's client sent them.
  facets       jsonb CHECK (jsonb_typeof(facets) = 'array'),
  embed        jsonb CHECK (jsonb_typeof(embed) = 'object'),
  languages    text[] NOT NULL DEFAULT '{}',
  status       text NOT NULL DEFAULT 'PENDING'
               CHECK (status IN ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  scheduled_at timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  executed_at  timestamptz,
  at_uri       text CHECK (length(at_uri) <= 2600),
  at_rkey      text CHECK (length(at_rkey) <= 512),
  error_msg    text CHECK (length(error_msg) <= 4000),
  UNIQUE (user_id, at_rkey)
);
-- One index per sort, alone and behind the status filter; read backwards for the other direction.
CREATE INDEX posts_scheduled ON posts (scheduled_at, id);
CREATE INDEX posts_created ON posts (created_at, id);
CREATE INDEX posts_status ON posts (status, id);
CREATE INDEX posts_status_scheduled ON posts (status, scheduled_at, id);
CREATE INDEX posts_status_created ON posts (status, created_at, id);
CREATE INDEX posts_user_scheduled ON posts (user_id, scheduled_at, id);

CREATE FUNCTION refuse_final_post_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a % post is final', OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'posts_final_status';
END $$;
CREATE TRIGGER posts_final_status BEFORE UPDATE OF status ON posts FOR EACH ROW
  WHEN (OLD.status IN ('COMPLETED', 'FAILED') AND NEW.status <> OLD.status)
  EXECUTE FUNCTION refuse_final_post_change();

-- Currencies --------------------------------------------------------------------------------------

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

CREATE FUNCTION refuse_immutable_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % cannot be changed', TG_ARGV[0], TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER currencies_code_immutable BEFORE UPDATE ON currencies FOR EACH ROW
  WHEN (OLD.code <> NEW.code) EXECUTE FUNCTION refuse_immutable_change('code');

-- Plans -------------------------------------------------------------------------------------------

CREATE FUNCTION is_text_per_language(texts jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT jsonb_typeof(texts) = 'object' AND NOT EXISTS (
    SELECT FROM jsonb_each(texts) AS entry (language, value)
    WHERE language NOT IN ('en', 'ja', 'es', 'fr', 'ko', 'de', 'pt') OR jsonb_typeof(value) <> 'string'
  )
$$;

CREATE FUNCTION is_list_per_language(lists jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT jsonb_typeof(lists) = 'object' AND NOT EXISTS (
    SELECT FROM jsonb_each(lists) AS entry (language, value)
    WHERE language NOT IN ('en', 'ja', 'es', 'fr', 'ko', 'de', 'pt') OR jsonb_typeof(value) <> 'array'
  )
$$;

-- True when a named limit is absent, or a whole number within the bounds.
CREATE FUNCTION is_limit_within(limits jsonb, name text, lowest integer, highest integer)
RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN NOT limits ? name THEN true
    WHEN jsonb_typeof(limits -> name) <> 'number' THEN false
    ELSE (limits ->> name)::numeric BETWEEN lowest AND highest
         AND (limits ->> name)::numeric % 1 = 0
  END
$$;

CREATE FUNCTION is_switch_or_absent(limits jsonb, name text) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT NOT limits ? name OR jsonb_typeof(limits -> name) = 'boolean'
$$;

CREATE FUNCTION are_plan_limits(limits jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT jsonb_typeof(limits) = 'object'
    AND limits - ARRAY[
      'monthly_posts_limit', 'pending_posts_limit', 'concurrent_posts_limit', 'max_schedule_days',
      'schedule_interval_minutes', 'markdown_support', 'max_images_per_post', 'max_image_size_mb',
      'thread_posts', 'thread_posts_limit', 'video_upload_enabled', 'max_video_size_mb',
      'video_processing_minutes_per_month', 'max_post_length', 'storage_mb',
      'api_rate_limit_per_hour', 'data_retention_days'
    ] = '{}'
    AND is_limit_within(limits, 'monthly_posts_limit', -1, 2147483647)
    AND is_limit_within(limits, 'pending_posts_limit', -1, 2147483647)
    AND is_limit_within(limits, 'concurrent_posts_limit', -1, 2147483647)
    AND is_limit_within(limits, 'max_schedule_days', 1, 2147483647)
    AND is_limit_within(limits, 'schedule_interval_minutes', 1, 15)
    AND coalesce(limits ->> 'schedule_interval_minutes', '1') IN ('1', '5', '10', '15')
    AND is_switch_or_absent(limits, 'markdown_support')
    AND is_limit_within(limits, 'max_images_per_post', 0, 4)
    AND is_limit_within(limits, 'max_image_size_mb', 1, 2147483647)
    AND is_switch_or_absent(limits, 'thread_posts')
    AND is_limit_within(limits, 'thread_posts_limit', 1, 24)
    AND is_switch_or_absent(limits, 'video_upload_enabled')
    -- Null means that video is not available; 0 megabytes is stored as null.
    AND (limits -> 'max_video_size_mb' = 'null' OR is_limit_within(limits, 'max_video_size_mb', 1, 2147483647))
    AND (limits -> 'video_processing_minutes_per_month' = 'null'
         OR is_limit_within(limits, 'video_processing_minutes_per_month', 0, 2147483647))
    AND is_limit_within(limits, 'max_post_length', 1, 1000)
    AND is_limit_within(limits, 'storage_mb', -1, 2147483647)
    AND is_limit_within(limits, 'api_rate_limit_per_hour', -1, 2147483647)
    AND is_limit_within(limits, 'data_retention_days', -1, 2147483647)
$$;

CREATE TABLE plans (
  id            uuid PRIMARY KEY,
  tier          text NOT NULL CHECK (tier IN ('FREE', 'BASIC', 'PREMIUM', 'ENTERPRISE')),
  name          text NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  display_name  jsonb NOT NULL CHECK (is_text_per_language(display_name) AND display_name ->> 'en' <> ''),
  description   jsonb NOT NULL CHECK (is_text_per_language(description) AND description ->> 'en' <> ''),
  currency      text NOT NULL DEFAULT 'usd' CHECK (currency ~ '^[a-z]{3}$'),
  limits        jsonb NOT NULL CHECK (are_plan_limits(limits)),
  features      jsonb NOT NULL DEFAULT '{}' CHECK (is_list_per_language(features)),
  display_order integer NOT NULL DEFAULT 0 CHECK (display_order >= 0),
  is_active     boolean NOT NULL DEFAULT true,
  is_visible    boolean NOT NULL DEFAULT true,
  -- Raised with every change, so that two editors notice each other.
  version       integer NOT NULL DEFAULT 1,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX plans_order ON plans (display_order, id);
CREATE TRIGGER plans_tier_immutable BEFORE UPDATE ON plans FOR EACH ROW
  WHEN (OLD.tier <> NEW.tier) EXECUTE FUNCTION refuse_immutable_change('tier');

-- A plan is paid exactly when it has monthly prices.
CREATE TABLE plan_prices (
  plan_id       uuid NOT NULL REFERENCES plans ON DELETE CASCADE,
  period        text NOT NULL CHECK (period IN ('monthly', 'yearly')),
  currency_code text NOT NULL REFERENCES currencies (code),
  amount        numeric(12, 4) NOT NULL CHECK (amount BETWEEN 0 AND 99999999),
  PRIMARY KEY (plan_id, period, currency_code)
);
CREATE INDEX plan_prices_currency ON plan_prices (currency_code);

CREATE FUNCTION has_at_most_decimals(amount numeric, places integer) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT amount = round(amount, places)
$$;

CREATE FUNCTION check_price_decimals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  places integer;
BEGIN
  -- The share lock keeps the currency's decimals from shrinking under a price being written.
  SELECT CASE WHEN use_decimals THEN decimal_places ELSE 0 END INTO places
    FROM currencies WHERE code = NEW.currency_code FOR SHARE;
  IF NOT has_at_most_decimals(NEW.amount, places) THEN
    RAISE EXCEPTION '% has more decimal places than % allows', NEW.amount, NEW.currency_code
      USING ERRCODE = 'check_violation', CONSTRAINT = 'plan_prices_decimals';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER plan_prices_decimals BEFORE INSERT OR UPDATE ON plan_prices FOR EACH ROW
  EXECUTE FUNCTION check_price_decimals();

CREATE FUNCTION check_currency_decimals() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  places integer := CASE WHEN NEW.use_decimals THEN NEW.decimal_places ELSE 0 END;
BEGIN
  IF EXISTS (SELECT FROM plan_prices
             WHERE currency_code = NEW.code AND NOT has_at_most_decimals(amount, places)) THEN
    RAISE EXCEPTION 'prices in % have more than % decimal places', NEW.code, places
      USING ERRCODE = 'check_violation', CONSTRAINT = 'currencies_decimals_in_use';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER currencies_decimals_in_use BEFORE UPDATE OF use_decimals, decimal_places ON currencies FOR EACH ROW
  EXECUTE FUNCTION check_currency_decimals();

-- Tickets and what they granted -------------------------------------------------------------------

CREATE FUNCTION is_limits_override(limits jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT jsonb_typeof(limits) = 'object' AND limits <> '{}'
    AND limits - ARRAY[
      'monthly_posts_limit', 'concurrent_posts_limit', 'schedule_interval_minutes', 'max_post_length',
      'max_schedule_days', 'thread_posts', 'thread_posts_limit'
    ] = '{}'
    AND is_limit_within(limits, 'monthly_posts_limit', -1, 10000)
    AND is_limit_within(limits, 'concurrent_posts_limit', -1, 1000)
    AND is_limit_within(limits, 'schedule_interval_minutes', 1, 15)
    AND coalesce(limits ->> 'schedule_interval_minutes', '1') IN ('1', '5', '10', '15')
    AND is_limit_within(limits, 'max_post_length', 1, 300)
    AND is_limit_within(limits, 'max_schedule_days', -1, 365)
    AND is_switch_or_absent(limits, 'thread_posts')
    AND is_limit_within(limits, 'thread_posts_limit', 1, 25)
$$;

CREATE TABLE tickets (
  id                  uuid PRIMARY KEY,
  code                text NOT NULL UNIQUE
                      CHECK (code ~ '^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$'),
  -- What is stored; past the redemption deadline a ticket counts as EXPIRED whatever stands here.
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
  limits_override     jsonb CHECK (is_limits_override(limits_override)),
  CONSTRAINT tickets_within_maximum CHECK (max_redemptions IS NULL OR redemption_count <= max_redemptions),
  CONSTRAINT tickets_revoked_unused CHECK (status <> 'REVOKED' OR redemption_count = 0),
  CONSTRAINT tickets_unused_means_unredeemed CHECK (status <> 'UNUSED' OR redemption_count = 0),
  CONSTRAINT tickets_active_means_redeemed CHECK (status <> 'ACTIVE' OR redemption_count > 0)
);
CREATE INDEX tickets_issued ON tickets (issued_at, id);
CREATE INDEX tickets_plan ON tickets (plan_id);
CREATE INDEX tickets_issuer ON tickets (issuer_id);

CREATE FUNCTION check_ticket_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The share lock makes issuing wait for a deactivation under way, and the other way round.
  PERFORM FROM plans WHERE id = NEW.plan_id AND is_active AND tier <> 'FREE' FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a ticket needs an active plan that is not free'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'tickets_plan_available';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tickets_plan_available BEFORE INSERT ON tickets FOR EACH ROW
  EXECUTE FUNCTION check_ticket_plan();

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

CREATE FUNCTION refuse_assignment_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a % assignment is final', OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'plan_assignments_final_status';
END $$;
CREATE TRIGGER plan_assignments_final_status BEFORE UPDATE OF status ON plan_assignments FOR EACH ROW
  WHEN (OLD.status <> 'ACTIVE' AND NEW.status <> OLD.status)
  EXECUTE FUNCTION refuse_assignment_revival();

-- Service-wide switches: one row, for ever --------------------------------------------------------

CREATE TABLE service_settings (
  id                   integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  is_closed_beta       boolean NOT NULL DEFAULT false,
  is_service_suspended boolean NOT NULL DEFAULT false,
  updated_at           timestamptz NOT NULL DEFAULT now()
);
INSERT INTO service_settings DEFAULT VALUES;
