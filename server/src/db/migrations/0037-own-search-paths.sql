-- meridian_api calls these as the owner. Without pg_temp in a search path, temporary types are found first:
-- a granted role made a domain named text whose check called a function of its own, as the owner.
DO $$
DECLARE
  f text;
BEGIN
  FOREACH f IN ARRAY ARRAY['are_plan_limits(jsonb)', 'is_limits_override(jsonb)', 'grapheme_count(text)'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', f, current_schema());
  END LOOP;
END $$;
