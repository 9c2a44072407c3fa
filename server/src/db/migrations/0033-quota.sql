-- A plan may end before the posts are due that it allowed. Then the plan that is left counts, and the engine
-- holds what it has no room for. What was scheduled under a plan that goes on is never held.

-- Whether so many posts of the month are due before this one that the plan in force has no room for it.
CREATE FUNCTION is_over_quota(author uuid, at timestamptz, post uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT most >= 0 AND most <= (
    SELECT count(*) FROM (
      SELECT FROM posts p
      WHERE p.user_id = author AND p.status NOT IN ('CANCELLED', 'FAILED')
        AND p.scheduled_at >= date_trunc('month', at, 'UTC') AND (p.scheduled_at, p.id) < (at, post)
      LIMIT greatest(most, 0)) AS earlier)
  FROM (SELECT coalesce((effective_limits(author) ->> 'monthly_posts_limit')::integer, -1) AS most) AS plan
$$;

-- A claim decides anew: what still has no room is held again.
CREATE FUNCTION release_by_assignment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM release_held_posts(NEW.user_id, '{quota}');
  RETURN NULL;
END $$;
CREATE TRIGGER plan_assignments_release AFTER INSERT OR UPDATE ON plan_assignments FOR EACH ROW
  WHEN (NEW.status = 'ACTIVE') EXECUTE FUNCTION release_by_assignment();

CREATE FUNCTION release_by_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM release_held_posts(author, '{quota}')
  FROM (SELECT DISTINCT user_id AS author FROM posts WHERE hold = 'quota') AS waiting;
  RETURN NULL;
END $$;
CREATE TRIGGER plans_release AFTER UPDATE ON plans FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active
    OR OLD.limits -> 'monthly_posts_limit' IS DISTINCT FROM NEW.limits -> 'monthly_posts_limit')
  EXECUTE FUNCTION release_by_plan();
