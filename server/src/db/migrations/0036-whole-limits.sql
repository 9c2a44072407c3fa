-- 5.0 is a whole number too, but the text of it is no integer: one plan with such a limit, which only SQL
-- by hand writes, made every claim of the engine fail.

CREATE OR REPLACE FUNCTION is_limit_within(limits jsonb, name text, lowest integer, highest integer)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN NOT limits ? name THEN true
    WHEN jsonb_typeof(limits -> name) <> 'number' THEN false
    ELSE (limits ->> name)::numeric BETWEEN lowest AND highest AND (limits ->> name) !~ '\.'
  END
$$;

UPDATE plans SET limits = (
  SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'number' THEN to_jsonb(trim_scale(value::numeric)) ELSE value END)
  FROM jsonb_each(limits))
WHERE limits::text ~ '\d\.';
UPDATE tickets SET limits_override = (
  SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'number' THEN to_jsonb(trim_scale(value::numeric)) ELSE value END)
  FROM jsonb_each(limits_override))
WHERE limits_override::text ~ '\d\.';

-- Otherwise as in 0033. The first month that there is has no beginning.
CREATE OR REPLACE FUNCTION is_over_quota(author uuid, at timestamptz, post uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT most >= 0 AND most <= (
    SELECT count(*) FROM (
      SELECT FROM posts p
      WHERE p.user_id = author AND p.status NOT IN ('CANCELLED', 'FAILED')
        AND p.scheduled_at >= date_trunc('month', greatest(at, '0001-01-01 00:00:00+00'), 'UTC')
        AND (p.scheduled_at, p.id) < (at, post)
      LIMIT greatest(most, 0)) AS earlier)
  FROM (SELECT coalesce((effective_limits(author) ->> 'monthly_posts_limit')::integer, -1) AS most) AS plan
$$;
