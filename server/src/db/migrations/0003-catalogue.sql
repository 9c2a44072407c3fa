-- Currencies, plans and their prices.

CREATE FUNCTION refuse_immutable_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % cannot be changed', TG_ARGV[0], TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;

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

-- Brings its own search path: pg_dump empties it while it restores, and this calls others by name.
CREATE FUNCTION are_plan_limits(limits jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql
SET search_path FROM CURRENT AS $$
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
CREATE TRIGGER plans_version_rises BEFORE UPDATE ON plans FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.* IS DISTINCT FROM OLD.*) EXECUTE FUNCTION raise_version();

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

-- Plans for sale ----------------------------------------------------------------------------------

-- An active paid plan always has a monthly price in an active currency, and a FREE plan has no prices.

-- Whether a plan has no monthly price or one in an active currency. That currency stays locked: it
-- cannot be deactivated until this transaction ends.
CREATE FUNCTION has_active_price(plan uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM plan_prices WHERE plan_id = plan AND period = 'monthly' LIMIT 1;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  PERFORM FROM plan_prices price JOIN currencies c ON c.code = price.currency_code
    WHERE price.plan_id = plan AND price.period = 'monthly' AND c.is_active
    ORDER BY c.code FOR SHARE OF c;
  RETURN FOUND;
END $$;

CREATE FUNCTION refuse_plan_without_active_price(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the plan % has no monthly price in an active currency', name
    USING ERRCODE = 'check_violation', CONSTRAINT = 'plans_active_price';
END $$;

-- Before and not after: an entry of the audit log in the same statement locks the end of the log, and
-- no transaction may wait for a currency while it holds that lock.
CREATE FUNCTION check_activated_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_active_price(NEW.id) THEN
    PERFORM refuse_plan_without_active_price(NEW.name);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER plans_active_price BEFORE UPDATE OF is_active ON plans FOR EACH ROW
  WHEN (NEW.is_active AND NOT OLD.is_active) EXECUTE FUNCTION check_activated_plan();

-- Once per statement, on the prices it wrote or removed.
CREATE FUNCTION check_plans_of_prices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plan plans;
BEGIN
  -- The share lock makes an activation wait, and the other way round.
  FOR plan IN SELECT * FROM plans WHERE id IN (SELECT plan_id FROM changed) ORDER BY id FOR SHARE LOOP
    IF TG_OP <> 'DELETE' AND plan.tier = 'FREE' THEN
      RAISE EXCEPTION 'the plan % is FREE and has no prices', plan.name
        USING ERRCODE = 'check_violation', CONSTRAINT = 'plans_free_without_prices';
    END IF;
    IF plan.is_active AND NOT has_active_price(plan.id) THEN
      PERFORM refuse_plan_without_active_price(plan.name);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER plan_prices_inserted AFTER INSERT ON plan_prices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_plans_of_prices();
CREATE TRIGGER plan_prices_updated AFTER UPDATE ON plan_prices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_plans_of_prices();
CREATE TRIGGER plan_prices_deleted AFTER DELETE ON plan_prices
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_plans_of_prices();
-- A price that moves to another plan is taken from the first.
CREATE TRIGGER plan_prices_plan_immutable BEFORE UPDATE OF plan_id ON plan_prices FOR EACH ROW
  WHEN (OLD.plan_id <> NEW.plan_id) EXECUTE FUNCTION refuse_immutable_change('plan_id');

CREATE FUNCTION check_deactivated_currency() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  names jsonb;
BEGIN
  -- One at a time: of two currencies that are the last two of a plan, the second sees the first.
  PERFORM pg_advisory_xact_lock(7261547);
  SELECT jsonb_agg(p.name ORDER BY p.display_order, p.name) INTO names FROM plans p
  WHERE p.is_active
    AND EXISTS (SELECT FROM plan_prices price
                WHERE price.plan_id = p.id AND price.period = 'monthly' AND price.currency_code = NEW.code)
    AND NOT EXISTS (SELECT FROM plan_prices price JOIN currencies c ON c.code = price.currency_code
                    WHERE price.plan_id = p.id AND price.period = 'monthly'
                      AND c.is_active AND c.code <> NEW.code);
  IF names IS NOT NULL THEN
    RAISE EXCEPTION 'active plans have no monthly price in an active currency but %', NEW.code
      USING ERRCODE = 'check_violation', CONSTRAINT = 'currencies_active_in_use', DETAIL = names::text;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER currencies_active_in_use BEFORE UPDATE OF is_active ON currencies FOR EACH ROW
  WHEN (OLD.is_active AND NOT NEW.is_active) EXECUTE FUNCTION check_deactivated_currency();
