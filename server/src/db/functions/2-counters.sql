-- The counters: each change of users and posts writes its delta, the background task applies them.

CREATE OR REPLACE VIEW pending_counters AS
  SELECT noun, user_id, new_status AS status, n FROM counter_deltas WHERE new_status IS NOT NULL
  UNION ALL
  SELECT noun, user_id, old_status, -n FROM counter_deltas WHERE old_status IS NOT NULL;

CREATE OR REPLACE FUNCTION posts_in(statuses text[], counters user_post_counters) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN 'PENDING' = ANY (statuses) THEN counters.pending ELSE 0 END
  + CASE WHEN 'PROCESSING' = ANY (statuses) THEN counters.processing ELSE 0 END
  + CASE WHEN 'COMPLETED' = ANY (statuses) THEN counters.completed ELSE 0 END
  + CASE WHEN 'FAILED' = ANY (statuses) THEN counters.failed ELSE 0 END
  + CASE WHEN 'CANCELLED' = ANY (statuses) THEN counters.cancelled ELSE 0 END;

-- Writing deltas ----------------------------------------------------------------------------------

-- Inserts and deletes of one statement are summed first: a bulk load leaves few deltas.
CREATE OR REPLACE FUNCTION count_post_rows() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counter_deltas
    SELECT 'posts', user_id, NULL, status, count(*) FROM changed GROUP BY user_id, status;
  ELSE
    INSERT INTO counter_deltas
    SELECT 'posts', user_id, status, NULL, count(*) FROM changed GROUP BY user_id, status;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER posts_count_insert AFTER INSERT ON posts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_post_rows();
CREATE OR REPLACE TRIGGER posts_count_delete AFTER DELETE ON posts
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_post_rows();

-- One statement for all rows of an update: the engine changes hundreds at once, and a call for each took a
-- fifth of the time of such a change. FULL JOIN, because a row may get another author or id: both sides are
-- then counted by themselves. It is also never a nested loop, which a plan kept from a change of one row would be.
CREATE OR REPLACE FUNCTION count_post_update() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO counter_deltas
  SELECT 'posts', user_id, before.status, after.status, 1
  FROM old_rows AS before FULL JOIN new_rows AS after USING (id, user_id)
  WHERE before.status IS DISTINCT FROM after.status;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER posts_count_update AFTER UPDATE ON posts
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_post_update();

CREATE OR REPLACE FUNCTION count_user_rows() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counter_deltas SELECT 'users', NULL, NULL, status, count(*) FROM changed GROUP BY status;
  ELSE
    INSERT INTO counter_deltas SELECT 'users', NULL, status, NULL, count(*) FROM changed GROUP BY status;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_count_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_user_rows();
CREATE OR REPLACE TRIGGER users_count_delete AFTER DELETE ON users
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_user_rows();

CREATE OR REPLACE FUNCTION count_user_update() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO counter_deltas VALUES ('users', NULL, OLD.status, NEW.status, 1);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_count_update AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_user_update();

-- Applying deltas ---------------------------------------------------------------------------------

-- Applies at most so many deltas and returns how many there were. One caller at a time: a caller that
-- finds another at work returns 0 and leaves it the rest.
CREATE OR REPLACE FUNCTION apply_counter_deltas(most integer DEFAULT 5000) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  applied bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7261545) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM counter_deltas
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM counter_deltas LIMIT most)) RETURNING *
  ),
  steps AS (
    SELECT noun, user_id, step.status, step.n
    FROM taken, LATERAL (VALUES (old_status, -n), (new_status, n)) AS step (status, n)
    WHERE step.status IS NOT NULL
  ),
  by_status AS (
    INSERT INTO status_counters AS c
    SELECT noun, status, sum(n) FROM steps GROUP BY noun, status HAVING sum(n) <> 0
    ON CONFLICT (noun, status) DO UPDATE SET n = c.n + excluded.n
  ),
  by_user AS (
    INSERT INTO user_post_counters AS c
    SELECT user_id,
           coalesce(sum(n) FILTER (WHERE status = 'PENDING'), 0),
           coalesce(sum(n) FILTER (WHERE status = 'PROCESSING'), 0),
           coalesce(sum(n) FILTER (WHERE status = 'COMPLETED'), 0),
           coalesce(sum(n) FILTER (WHERE status = 'FAILED'), 0),
           coalesce(sum(n) FILTER (WHERE status = 'CANCELLED'), 0)
    FROM steps WHERE noun = 'posts' GROUP BY user_id
    ON CONFLICT (user_id) DO UPDATE SET
      pending = c.pending + excluded.pending, processing = c.processing + excluded.processing,
      completed = c.completed + excluded.completed, failed = c.failed + excluded.failed,
      cancelled = c.cancelled + excluded.cancelled
  )
  SELECT count(*) INTO applied FROM taken;
  RETURN applied;
END $$;

-- Proof and repair --------------------------------------------------------------------------------

-- Empty when every counter, with the deltas pending, equals the number of rows.
CREATE OR REPLACE VIEW counter_differences AS
  WITH counted AS (
    SELECT 'users by status' AS what, status, NULL::uuid AS user_id, n FROM status_counters WHERE noun = 'users'
    UNION ALL SELECT 'users by status', status, NULL, n FROM pending_counters WHERE noun = 'users'
    UNION ALL SELECT 'posts by status', status, NULL, n FROM status_counters WHERE noun = 'posts'
    UNION ALL SELECT 'posts by status', status, NULL, n FROM pending_counters WHERE noun = 'posts'
    UNION ALL SELECT 'posts of a user', status, user_id, n FROM pending_counters WHERE noun = 'posts'
    UNION ALL
    SELECT 'posts of a user', value.status, user_id, value.n
    FROM user_post_counters, LATERAL (VALUES ('PENDING', pending), ('PROCESSING', processing),
      ('COMPLETED', completed), ('FAILED', failed), ('CANCELLED', cancelled)) AS value (status, n)
  ),
  present AS (
    SELECT 'users by status' AS what, status, NULL::uuid AS user_id, count(*) AS n FROM users GROUP BY status
    UNION ALL SELECT 'posts by status', status, NULL, count(*) FROM posts GROUP BY status
    UNION ALL SELECT 'posts of a user', status, user_id, count(*) FROM posts GROUP BY status, user_id
  )
  SELECT what, status, user_id, sum(counted) AS counted, sum(present) AS present
  FROM (SELECT what, status, user_id, n AS counted, 0 AS present FROM counted
        UNION ALL SELECT what, status, user_id, 0, n FROM present) AS both_sides
  GROUP BY what, status, user_id HAVING sum(counted) <> sum(present);

-- Counts all rows again. Writers wait meanwhile; readers see the old counters until it is done. The
-- tables are locked before the advisory lock, in the order in which a writer would take them.
CREATE OR REPLACE FUNCTION recount() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  LOCK TABLE users, posts IN SHARE MODE;
  PERFORM pg_advisory_xact_lock(7261545);
  DELETE FROM counter_deltas;
  DELETE FROM status_counters;
  DELETE FROM user_post_counters;
  INSERT INTO status_counters
    SELECT 'users', status, count(*) FROM users GROUP BY status
    UNION ALL
    SELECT 'posts', status, count(*) FROM posts GROUP BY status;
  INSERT INTO user_post_counters
    SELECT user_id, count(*) FILTER (WHERE status = 'PENDING'), count(*) FILTER (WHERE status = 'PROCESSING'),
           count(*) FILTER (WHERE status = 'COMPLETED'), count(*) FILTER (WHERE status = 'FAILED'),
           count(*) FILTER (WHERE status = 'CANCELLED')
    FROM posts GROUP BY user_id ORDER BY user_id;
END $$;
