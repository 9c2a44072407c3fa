-- What a program on these functions could not do safely, or could learn past them.

-- Scheduling ----------------------------------------------------------------------------------------

-- With an idempotency key a call whose response was lost is repeated, and schedules once. The key is
-- the id of the post. Otherwise as in 0020; calls without a key stay valid.
DROP FUNCTION meridian_api.schedule_post;
CREATE FUNCTION meridian_api.schedule_post(
  user_id uuid, content text, scheduled_at timestamptz, facets jsonb DEFAULT NULL, embed jsonb DEFAULT NULL,
  languages text[] DEFAULT '{}', reply_to text DEFAULT NULL, thread jsonb DEFAULT NULL, idempotency_key uuid DEFAULT NULL,
  OUT result text, OUT post_id uuid,
  OUT limit_name text, OUT allowed integer, OUT used integer, OUT ends_at timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  result := why_not_schedule(user_id);
  -- After the lock of the person, so that two calls with one key come one after the other.
  IF EXISTS (SELECT FROM posts p WHERE p.id = idempotency_key AND p.user_id = schedule_post.user_id) THEN
    result := 'scheduled';
    post_id := idempotency_key;
    RETURN;
  END IF;
  -- The journal outlives a deleted post: a new one with its id would send the old record.
  IF EXISTS (SELECT FROM posts p WHERE p.id = idempotency_key)
     OR EXISTS (SELECT FROM deliveries d WHERE d.post_id = idempotency_key) THEN
    RAISE EXCEPTION 'the idempotency key is the id of another post' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF result IS NULL AND has_video(embed, thread) THEN
    result := 'video';
  END IF;
  IF result IS NULL AND scheduled_at < clock_timestamp() - interval '1 minute' THEN
    result := 'in_the_past';
  END IF;
  IF result IS NULL THEN
    SELECT 'limit', l.name, l.allowed, l.used, l.ends_at INTO result, limit_name, allowed, used, ends_at
      FROM passed_limit(user_id, scheduled_at, content, embed, thread, NULL) AS l;
  END IF;
  IF result IS NOT NULL THEN
    RETURN;
  END IF;
  post_id := coalesce(idempotency_key, new_row_id());
  INSERT INTO posts (id, user_id, content, facets, embed, languages, scheduled_at, reply_to, thread)
    VALUES (post_id, user_id, content, facets, embed, languages, scheduled_at, reply_to, thread);
  result := 'scheduled';
END $$;

-- What became of a post. No row: the person has no such post.
CREATE FUNCTION meridian_api.read_post(user_id uuid, post_id uuid) RETURNS TABLE (
  status text, scheduled_at timestamptz, version integer, hold text, cause text, error_msg text,
  at_uri text, executed_at timestamptz
) LANGUAGE sql STABLE AS $$
  SELECT p.status, p.scheduled_at, p.version, p.hold, p.cause, p.error_msg, p.at_uri, p.executed_at
  FROM posts p WHERE p.id = read_post.post_id AND p.user_id = read_post.user_id
$$;

-- People --------------------------------------------------------------------------------------------

-- As in 0020, but a parameter that the table refuses is refused here: the table's own error shows the
-- row, and with it what administrators decided about the person.
CREATE OR REPLACE FUNCTION meridian_api.upsert_person(
  did text, handle text, display_name text DEFAULT NULL, avatar text DEFAULT NULL,
  OUT result text, OUT user_id uuid
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  given ALIAS FOR $1;
  is_changed boolean;
BEGIN
  IF (given LIKE 'did:%' AND length(given) BETWEEN 8 AND 2048 AND length(upsert_person.handle) BETWEEN 1 AND 253
      AND length(coalesce(upsert_person.display_name, '')) <= 640
      AND length(coalesce(upsert_person.avatar, '')) <= 2048) IS NOT TRUE THEN
    RAISE EXCEPTION 'a DID begins with did:, a handle has 1 to 253 characters, a display name up to 640, an avatar up to 2048'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT u.id, (u.handle, u.display_name, u.avatar)
               IS DISTINCT FROM (upsert_person.handle, upsert_person.display_name, upsert_person.avatar)
    INTO user_id, is_changed FROM users u WHERE u.did = given FOR NO KEY UPDATE;
  IF FOUND THEN
    result := CASE WHEN is_changed THEN 'updated' ELSE 'unchanged' END;
    UPDATE users u SET handle = upsert_person.handle, display_name = upsert_person.display_name,
      avatar = upsert_person.avatar, updated_at = now() WHERE u.id = user_id AND is_changed;
    RETURN;
  END IF;
  -- The share lock makes a switch of the closed beta wait, and the other way round.
  IF (SELECT s.is_closed_beta FROM service_settings s FOR SHARE) THEN
    result := 'closed_beta';
    RETURN;
  END IF;
  INSERT INTO users (id, did, handle, display_name, avatar)
    VALUES (new_row_id(), given, upsert_person.handle, upsert_person.display_name, upsert_person.avatar)
    ON CONFLICT (did) DO NOTHING RETURNING id INTO user_id;
  result := 'created';
  IF user_id IS NULL THEN
    -- Another call created the same person in the meantime.
    SELECT u.id INTO user_id FROM users u WHERE u.did = given;
    result := 'unchanged';
  END IF;
END $$;

-- Publishing ----------------------------------------------------------------------------------------

-- As in 0020, and the last look at the switches before a post is sent: a worker may have claimed it
-- minutes before. What may not go out now is given back, and the next claim decides. Two writes with
-- one key would leave one record of the two.
CREATE OR REPLACE FUNCTION meridian_api.journal_post(post_id uuid, attempt integer, writes json) RETURNS json
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  post posts;
  journalled json;
BEGIN
  IF writes IS NULL OR json_typeof(writes) <> 'array' OR json_array_length(writes) NOT BETWEEN 1 AND 25 OR octet_length(writes::text) > 1000000
     OR EXISTS (SELECT FROM json_array_elements(writes) AS w
                WHERE coalesce(w ->> 'rkey', '') !~ '^[234567abcdefghij][234567a-z]{12}$' OR json_typeof(w -> 'record') IS DISTINCT FROM 'object')
     OR (SELECT count(DISTINCT w ->> 'rkey') FROM json_array_elements(writes) AS w) <> json_array_length(writes) THEN
    RAISE EXCEPTION 'writes are 1 to 25 objects, each with a record and a TID of its own as rkey' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT * INTO post FROM posts p WHERE p.id = post_id AND p.attempt = journal_post.attempt AND p.status = 'PROCESSING'
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF (SELECT s.is_service_suspended FROM service_settings s)
     OR NOT (SELECT user_may_publish(u) AND coalesce(a.state, 'CONNECTED') = 'CONNECTED'
             FROM users u LEFT JOIN accounts a ON a.user_id = u.id WHERE u.id = post.user_id) THEN
    IF EXISTS (SELECT FROM deliveries d WHERE d.post_id = journal_post.post_id) THEN
      UPDATE posts p SET claim_at = clock_timestamp() WHERE p.id = post_id;
    ELSE
      -- Nothing was sent: the trigger plans it again.
      UPDATE posts p SET status = 'PENDING', updated_at = now() WHERE p.id = post_id;
    END IF;
    RETURN NULL;
  END IF;
  -- The host would take the second post for the first one, and it would never go out.
  IF EXISTS (SELECT FROM posts p, json_array_elements(writes) AS w
             WHERE p.user_id = post.user_id AND p.at_rkey = w ->> 'rkey' AND p.id <> post_id) THEN
    RAISE EXCEPTION 'a record key is the one of another post of this person' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  INSERT INTO deliveries AS d (post_id, user_id, did, host, writes, unsent_through)
    SELECT post.id, u.id, u.did, coalesce(a.host, 'unknown'), writes, attempt - 1
    FROM users u LEFT JOIN accounts a ON a.user_id = u.id WHERE u.id = post.user_id
    ON CONFLICT ON CONSTRAINT deliveries_pkey DO NOTHING;
  SELECT d.writes INTO journalled FROM deliveries d WHERE d.post_id = journal_post.post_id;
  RETURN journalled;
END $$;

-- A function that is made has neither the settings nor the grants of the others, one that is replaced no settings.
DO $$
DECLARE
  f    regprocedure;
  role text;
BEGIN
  FOR f IN
    SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'meridian_api'::regnamespace
      AND proname IN ('schedule_post', 'read_post', 'upsert_person', 'journal_post')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', f, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    FOR role IN
      SELECT r.rolname FROM pg_proc p, aclexplode(p.proacl) AS a JOIN pg_roles r ON r.oid = a.grantee
      WHERE p.oid = 'meridian_api.cancel_post'::regproc AND a.grantee <> p.proowner
    LOOP
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, role);
    END LOOP;
  END LOOP;
END $$;
