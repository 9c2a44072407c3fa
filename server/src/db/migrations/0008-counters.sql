-- Counters of users and posts by status, and of each user's posts: docs/counters.md explains them.
--
-- A change inserts one delta and updates no counter, so two writers never wait for each other. A
-- background task applies the deltas to the counters; a reader adds the deltas still pending, in one
-- snapshot, so that a total is exact at any moment.

CREATE TABLE status_counters (
  noun   text NOT NULL CHECK (noun IN ('users', 'posts')),
  status text NOT NULL,
  n      bigint NOT NULL,
  PRIMARY KEY (noun, status)
) WITH (fillfactor = 10);

-- One row per user who has or had posts. Not columns of users: with every change of a counter all indexes
-- of that table would be written.
CREATE TABLE user_post_counters (
  user_id    uuid PRIMARY KEY,
  pending    integer NOT NULL,
  processing integer NOT NULL,
  completed  integer NOT NULL,
  failed     integer NOT NULL,
  cancelled  integer NOT NULL
) WITH (fillfactor = 80);

-- `n` rows left one status (null: they are new) for another (null: they were deleted).
CREATE TABLE counter_deltas (
  noun       text NOT NULL,
  -- The author, when posts are counted.
  user_id    uuid,
  old_status text,
  new_status text,
  n          integer NOT NULL
);

CREATE VIEW pending_counters AS
  SELECT noun, user_id, new_status AS status, n FROM counter_deltas WHERE new_status IS NOT NULL
  UNION ALL
  SELECT noun, user_id, old_status, -n FROM counter_deltas WHERE old_status IS NOT NULL;

-- Writing deltas ----------------------------------------------------------------------------------

-- Inserts and deletes of one statement are summed first: a bulk load leaves few deltas.
CREATE FUNCTION count_post_rows() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER posts_count_insert AFTER INSERT ON posts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_post_rows();
CREATE TRIGGER posts_count_delete AFTER DELETE ON posts
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_post_rows();

-- Row by row: keeping the old and the new rows of a statement takes longer than the deltas.
CREATE FUNCTION count_post_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.user_id = NEW.user_id THEN
    INSERT INTO counter_deltas VALUES ('posts', NEW.user_id, OLD.status, NEW.status, 1);
  ELSE
    INSERT INTO counter_deltas
    VALUES ('posts', OLD.user_id, OLD.status, NULL, 1), ('posts', NEW.user_id, NULL, NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_count_update AFTER UPDATE ON posts FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.user_id <> NEW.user_id) EXECUTE FUNCTION count_post_update();

CREATE FUNCTION count_user_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO counter_deltas SELECT 'users', NULL, NULL, status, count(*) FROM changed GROUP BY status;
  ELSE
    INSERT INTO counter_deltas SELECT 'users', NULL, status, NULL, count(*) FROM changed GROUP BY status;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_count_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_user_rows();
CREATE TRIGGER users_count_delete AFTER DELETE ON users
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_user_rows();

CREATE FUNCTION count_user_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO counter_deltas VALUES ('users', NULL, OLD.status, NEW.status, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER users_count_update AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_user_update();

-- TRUNCATE passes no rows to a trigger; nothing remains to be counted. (Truncating users truncates
-- posts with it.)
CREATE FUNCTION reset_counters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM counter_deltas WHERE noun = TG_TABLE_NAME;
  DELETE FROM status_counters WHERE noun = TG_TABLE_NAME;
  IF TG_TABLE_NAME = 'posts' THEN
    TRUNCATE user_post_counters;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_count_truncate AFTER TRUNCATE ON posts
  FOR EACH STATEMENT EXECUTE FUNCTION reset_counters();
CREATE TRIGGER users_count_truncate AFTER TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION reset_counters();

-- Applying deltas ---------------------------------------------------------------------------------

-- Applies at most so many deltas and returns how many there were. One caller at a time: a caller that
-- finds another at work returns 0 and leaves it the rest.
CREATE FUNCTION apply_counter_deltas(most integer DEFAULT 5000) RETURNS bigint LANGUAGE plpgsql AS $$
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

-- Reading -----------------------------------------------------------------------------------------

-- How many posts a user has in some statuses, but for the deltas pending.
CREATE FUNCTION posts_in(statuses text[], counters user_post_counters) RETURNS integer
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT CASE WHEN 'PENDING' = ANY (statuses) THEN counters.pending ELSE 0 END
       + CASE WHEN 'PROCESSING' = ANY (statuses) THEN counters.processing ELSE 0 END
       + CASE WHEN 'COMPLETED' = ANY (statuses) THEN counters.completed ELSE 0 END
       + CASE WHEN 'FAILED' = ANY (statuses) THEN counters.failed ELSE 0 END
       + CASE WHEN 'CANCELLED' = ANY (statuses) THEN counters.cancelled ELSE 0 END
$$;

-- The people whose search text matches a pattern, and how many posts they have in some statuses. `ids`
-- is null when there are more than `most`. The index is asked for `part`, a piece of the pattern: the
-- rest, such as '.bsky.social', stands in so many texts that looking it up costs more. Planned for each
-- pattern: few people are found by the index, many by reading the whole table.
CREATE FUNCTION search_people(
  pattern text, part text, statuses text[], most integer, OUT ids uuid[], OUT total bigint
) STABLE LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  pending bigint;
BEGIN
  ids := ARRAY(SELECT id FROM users
               WHERE search_text LIKE part AND search_text LIKE pattern LIMIT most + 1);
  IF cardinality(ids) <= most THEN
    SELECT sum(counted.n) INTO total
      FROM unnest(ids) AS person (id), LATERAL (
        -- OFFSET keeps it a lookup per person; joined, all counters would be read.
        SELECT posts_in(statuses, c) AS n FROM user_post_counters c WHERE c.user_id = person.id OFFSET 0
      ) AS counted;
  ELSE
    ids := NULL;
    SELECT sum(posts_in(statuses, c)) INTO total
      FROM users u JOIN user_post_counters c ON c.user_id = u.id WHERE u.search_text LIKE pattern;
  END IF;
  -- A lookup per delta: joined, all deltas could be compared with all people.
  SELECT sum(d.n) INTO pending FROM pending_counters d
    WHERE d.status = ANY (statuses)
      AND (SELECT u.search_text LIKE pattern FROM users u WHERE u.id = d.user_id);
  total := coalesce(total, 0) + coalesce(pending, 0);
END $$;

-- Proof and repair --------------------------------------------------------------------------------

-- Empty when every counter, with the deltas pending, equals the number of rows.
CREATE VIEW counter_differences AS
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
CREATE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
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
