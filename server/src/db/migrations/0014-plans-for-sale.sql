-- An active paid plan always has a monthly price in an active currency, and a FREE plan has no prices.
-- Checked when a plan, a price or a currency changes: what an earlier version left stays as it is.

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
