-- Functions for other programs: docs/integration.md explains each. A role that may call them needs no
-- right on any table. Signatures and results of version 1 stay; what has to change gets a new schema.
--
-- They run with the owner's rights, so each has a fixed search path with temporary objects last (set at
-- the end): a table that the caller makes must never stand in for ours.

-- A schema that was dropped leaves its functions behind. They are not taken from an installation whose
-- tables are still there.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_proc, unnest(proconfig) AS setting,
      LATERAL (SELECT split_part(substring(setting FROM 'search_path=(.*)'), ',', 1)) AS home (name)
    WHERE pronamespace = to_regnamespace('meridian_api') AND home.name <> quote_ident(current_schema())
      AND to_regclass(home.name || '.posts') IS NOT NULL) THEN
    RAISE EXCEPTION 'another installation in this database has the schema meridian_api';
  END IF;
END $$;
DROP SCHEMA IF EXISTS meridian_api CASCADE;
CREATE SCHEMA meridian_api;
REVOKE ALL ON SCHEMA meridian_api FROM PUBLIC;

CREATE FUNCTION meridian_api.version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1';

CREATE FUNCTION meridian_api.service_state(
  OUT is_suspended boolean, OUT suspended_at timestamptz, OUT is_closed_beta boolean
) LANGUAGE sql STABLE AS $$
  SELECT is_service_suspended, CASE WHEN is_service_suspended THEN suspended_at END, is_closed_beta
  FROM service_settings
$$;

-- People ------------------------------------------------------------------------------------------

-- By DID. Result: 'created', 'updated', 'unchanged', or 'closed_beta' when the service takes no new people.
-- What administrators decide about a person is not changed.
CREATE FUNCTION meridian_api.upsert_person(
  did text, handle text, display_name text DEFAULT NULL, avatar text DEFAULT NULL,
  OUT result text, OUT user_id uuid
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  given ALIAS FOR $1;
  is_changed boolean;
BEGIN
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

-- Limits ------------------------------------------------------------------------------------------

-- Posts of a person in a month of UTC that count towards monthly_posts_limit. Stops after `most`.
CREATE FUNCTION posts_in_month(author uuid, moment timestamptz, most integer, other_than uuid DEFAULT NULL)
RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT count(*)::integer FROM (
    SELECT FROM posts p
    WHERE p.user_id = author AND p.id IS DISTINCT FROM other_than AND p.status NOT IN ('CANCELLED', 'FAILED')
      AND p.scheduled_at >= date_trunc('month', moment, 'UTC')
      AND p.scheduled_at < date_trunc('month', moment, 'UTC') + interval '1 month'
    LIMIT most) AS counted
$$;

-- Pending posts of a person, from the counters: the number of posts does not matter.
CREATE FUNCTION pending_posts(author uuid) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT (coalesce((SELECT c.pending FROM user_post_counters c WHERE c.user_id = author), 0)
        + coalesce((SELECT sum(d.n) FROM pending_counters d
                    WHERE d.noun = 'posts' AND d.user_id = author AND d.status = 'PENDING'), 0))::integer
$$;

-- The limits that hold for a person now, where they come from, and how much is used. No row: no such
-- person. `used` counts at most one more than the limit, and at most 10,000 where there is none.
CREATE FUNCTION meridian_api.limits_in_force(user_id uuid) RETURNS TABLE (
  plan_id uuid, plan_name text, tier text, assignment_id uuid, expires_at timestamptz,
  limits jsonb, overridden jsonb, posts_this_month integer, month_ends_at timestamptz, pending_posts integer
) LANGUAGE sql STABLE AS $$
  SELECT p.id, p.name, p.tier, e.assignment_id, a.expires_at,
    p.limits || coalesce(t.limits_override, '{}'), coalesce(t.limits_override, '{}'),
    posts_in_month(u.id, now(), CASE WHEN most.monthly < 0 THEN 10000 ELSE most.monthly + 1 END),
    date_trunc('month', now(), 'UTC') + interval '1 month', pending_posts(u.id)
  FROM users u
  LEFT JOIN LATERAL effective_plan(u.id) AS e ON true
  LEFT JOIN plans p ON p.id = e.plan_id
  LEFT JOIN plan_assignments a ON a.id = e.assignment_id
  LEFT JOIN tickets t ON t.id = e.ticket_id
  CROSS JOIN LATERAL (
    SELECT coalesce((effective_limits(u.id) ->> 'monthly_posts_limit')::integer, -1) AS monthly) AS most
  WHERE u.id = limits_in_force.user_id
$$;

-- Scheduling --------------------------------------------------------------------------------------

-- Why a post may not be scheduled: one row with the first limit that it would pass, or none. The caller
-- holds the lock of the person, so that two calls at once cannot both take the last place.
CREATE FUNCTION passed_limit(
  author uuid, at timestamptz, content text, embed jsonb, thread jsonb, other_than uuid
) RETURNS TABLE (name text, allowed integer, used integer, ends_at timestamptz) LANGUAGE plpgsql STABLE AS $$
DECLARE
  limits jsonb := coalesce(effective_limits(author), '{}');
  most   integer;
  n      integer;
  slot   interval := make_interval(mins => coalesce((limits ->> 'schedule_interval_minutes')::integer, 1));
  slot_starts timestamptz;
BEGIN
  ends_at := NULL;
  name := 'max_post_length';
  allowed := least(coalesce((limits ->> name)::integer, 300), 300);
  used := greatest(grapheme_count(content),
    (SELECT max(grapheme_count(part ->> 'content')) FROM jsonb_array_elements(thread) AS part));
  IF used > allowed THEN RETURN NEXT; RETURN; END IF;

  name := 'max_images_per_post';
  allowed := coalesce((limits ->> name)::integer, 4);
  used := greatest(images_in(embed),
    (SELECT max(images_in(part -> 'embed')) FROM jsonb_array_elements(thread) AS part));
  IF used > allowed THEN RETURN NEXT; RETURN; END IF;

  IF thread IS NOT NULL THEN
    name := 'thread_posts_limit';
    allowed := CASE WHEN (limits ->> 'thread_posts')::boolean THEN coalesce((limits ->> name)::integer, 1) ELSE 0 END;
    used := jsonb_array_length(thread);
    IF used > allowed THEN RETURN NEXT; RETURN; END IF;
  END IF;

  name := 'max_schedule_days';
  allowed := coalesce((limits ->> name)::integer, -1);
  used := ceil(extract(epoch FROM at - now()) / 86400);
  IF allowed >= 0 AND used > allowed THEN RETURN NEXT; RETURN; END IF;

  name := 'concurrent_posts_limit';
  most := coalesce((limits ->> name)::integer, -1);
  IF most >= 0 THEN
    slot_starts := date_bin(slot, at, timestamptz 'epoch');
    SELECT count(*) INTO n FROM (
      SELECT FROM posts p WHERE p.user_id = author AND p.id IS DISTINCT FROM other_than
        AND p.scheduled_at >= slot_starts AND p.scheduled_at < slot_starts + slot
        AND p.status NOT IN ('CANCELLED', 'FAILED') LIMIT most) AS counted;
    IF n >= most THEN
      allowed := most; used := n; ends_at := slot_starts + slot;
      RETURN NEXT; RETURN;
    END IF;
  END IF;

  name := 'monthly_posts_limit';
  most := coalesce((limits ->> name)::integer, -1);
  IF most >= 0 THEN
    n := posts_in_month(author, at, most, other_than);
    IF n >= most THEN
      allowed := most; used := n; ends_at := date_trunc('month', at, 'UTC') + interval '1 month';
      RETURN NEXT; RETURN;
    END IF;
  END IF;

  name := 'pending_posts_limit';
  most := coalesce((limits ->> name)::integer, -1);
  IF most >= 0 AND other_than IS NULL THEN
    n := pending_posts(author);
    IF n >= most THEN
      allowed := most; used := n;
      RETURN NEXT; RETURN;
    END IF;
  END IF;
END $$;

CREATE FUNCTION images_in(embed jsonb) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE jsonb_typeof(list.images) WHEN 'array' THEN jsonb_array_length(list.images) ELSE 0 END
  FROM (SELECT coalesce(coalesce(embed -> 'media', embed) -> 'images', coalesce(embed -> 'media', embed) -> 'items')) AS list (images)
$$;

-- Whether the person may schedule now. Locks the person: calls for one person come one after the other.
-- That needs READ COMMITTED, where a statement after the lock sees what the call before committed.
CREATE FUNCTION why_not_schedule(author uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  person users;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'posts are scheduled in a transaction of the level READ COMMITTED'
      USING ERRCODE = 'invalid_transaction_state';
  END IF;
  SELECT * INTO person FROM users u WHERE u.id = author FOR NO KEY UPDATE;
  RETURN CASE
    WHEN person.id IS NULL THEN 'unknown_user'
    WHEN NOT person.is_active OR person.status IN ('SUSPENDED', 'BLOCKED') THEN 'user_off'
    WHEN person.status = 'RESTRICTED' THEN 'restricted'
    WHEN (SELECT s.is_service_suspended FROM service_settings s) THEN 'service_suspended'
    WHEN (SELECT s.is_closed_beta AND person.created_at >= s.closed_beta_at AND NOT person.has_access_keyword_access
          FROM service_settings s) THEN 'closed_beta'
  END;
END $$;

-- Result: 'scheduled'; or nothing was changed, and it is 'unknown_user', 'user_off', 'restricted',
-- 'service_suspended', 'closed_beta', 'in_the_past', 'video', or 'limit' with the name of the limit, what it allows, how
-- much is used (with this post, where the post itself is too large) and when it ends, if it does.
CREATE FUNCTION meridian_api.schedule_post(
  user_id uuid, content text, scheduled_at timestamptz, facets jsonb DEFAULT NULL, embed jsonb DEFAULT NULL,
  languages text[] DEFAULT '{}', reply_to text DEFAULT NULL, thread jsonb DEFAULT NULL,
  OUT result text, OUT post_id uuid,
  OUT limit_name text, OUT allowed integer, OUT used integer, OUT ends_at timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  result := why_not_schedule(user_id);
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
  post_id := new_row_id();
  INSERT INTO posts (id, user_id, content, facets, embed, languages, scheduled_at, reply_to, thread)
    VALUES (post_id, user_id, content, facets, embed, languages, scheduled_at, reply_to, thread);
  result := 'scheduled';
END $$;

CREATE FUNCTION has_video(embed jsonb, thread jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(bool_or(coalesce(e -> 'media', e) ->> '$type' ~ '^app\.bsky\.embed\.video(#|$)'
                          OR coalesce(e -> 'media', e) ? 'video'), false)
  FROM (SELECT embed UNION ALL SELECT part -> 'embed' FROM jsonb_array_elements(thread) AS part) AS all_embeds (e)
$$;

-- Only a PENDING post. Result: 'rescheduled', the refusals of schedule_post, 'unknown_post', 'not_pending'
-- or 'changed' when it is no longer the version that the caller saw.
CREATE FUNCTION meridian_api.reschedule_post(
  user_id uuid, post_id uuid, scheduled_at timestamptz, expected_version integer DEFAULT NULL,
  OUT result text, OUT limit_name text, OUT allowed integer, OUT used integer, OUT ends_at timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  post posts;
BEGIN
  result := why_not_schedule(user_id);
  IF result IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT * INTO post FROM posts p WHERE p.id = post_id AND p.user_id = reschedule_post.user_id FOR NO KEY UPDATE;
  result := CASE
    WHEN post.id IS NULL THEN 'unknown_post'
    WHEN post.status <> 'PENDING' THEN 'not_pending'
    WHEN post.version <> expected_version THEN 'changed'
    WHEN scheduled_at < clock_timestamp() - interval '1 minute' THEN 'in_the_past'
  END;
  IF result IS NULL THEN
    SELECT 'limit', l.name, l.allowed, l.used, l.ends_at INTO result, limit_name, allowed, used, ends_at
      FROM passed_limit(user_id, scheduled_at, post.content, post.embed, post.thread, post.id) AS l;
  END IF;
  IF result IS NULL THEN
    UPDATE posts p SET scheduled_at = reschedule_post.scheduled_at, updated_at = now() WHERE p.id = post_id;
    result := 'rescheduled';
  END IF;
END $$;

-- Result: 'cancelled', 'unknown_post' or 'not_cancellable'. A post on its way to the network may still
-- arrive; it then carries its address.
CREATE FUNCTION meridian_api.cancel_post(user_id uuid, post_id uuid) RETURNS text LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  was text;
BEGIN
  SELECT p.status INTO was FROM posts p WHERE p.id = post_id AND p.user_id = cancel_post.user_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN 'unknown_post';
  ELSIF was NOT IN ('PENDING', 'PROCESSING') THEN
    RETURN 'not_cancellable';
  END IF;
  UPDATE posts p SET status = 'CANCELLED', updated_at = now() WHERE p.id = post_id;
  RETURN 'cancelled';
END $$;

-- As redeem_ticket, with the owner's rights.
CREATE FUNCTION meridian_api.redeem_ticket(
  code text, user_id uuid, OUT result text, OUT assignment_id uuid, OUT expires_at timestamptz
) LANGUAGE sql AS $$
  SELECT * FROM redeem_ticket($1, $2)
$$;

-- Publishing --------------------------------------------------------------------------------------

-- Claims due posts of people who may publish, oldest first, and leases them to the caller. Others are
-- held until the cause ends, those past the late limit fail, and of a backlog each person gets one post
-- per schedule interval: the rules of the engine, which may run at the same time. `writes` is what an
-- earlier attempt journalled: it is to be sent again as it is.
CREATE FUNCTION meridian_api.claim_posts(
  most integer DEFAULT 50, lease_seconds integer DEFAULT 60, late_limit_minutes integer DEFAULT 60
) RETURNS TABLE (
  post_id uuid, user_id uuid, did text, host text, attempt integer, scheduled_at timestamptz, content text,
  facets jsonb, embed jsonb, languages text[], reply_to text, thread jsonb, writes json
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  resumed timestamptz;
  due     record;
  pace    interval;
  turn_at timestamptz;
BEGIN
  IF NOT (most BETWEEN 1 AND 500 AND lease_seconds BETWEEN 5 AND 600 AND late_limit_minutes BETWEEN 1 AND 10080) THEN
    RAISE EXCEPTION 'at most 500 posts, a lease of 5 to 600 seconds, a late limit of 1 to 10080 minutes'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT s.resumed_at INTO resumed FROM service_settings s WHERE NOT s.is_service_suspended;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  FOR due IN
    SELECT p.*, u.did, user_may_publish(u) AS may_publish, a.host, a.state
    FROM posts p JOIN users u ON u.id = p.user_id LEFT JOIN accounts a ON a.user_id = p.user_id
    WHERE p.claim_at <= clock_timestamp() AND p.status IN ('PENDING', 'PROCESSING')
    ORDER BY p.claim_at LIMIT most FOR NO KEY UPDATE OF p SKIP LOCKED
  LOOP
    IF NOT due.may_publish OR due.state <> 'CONNECTED' THEN
      UPDATE posts p SET claim_at = 'infinity', hold = CASE
          WHEN NOT due.may_publish THEN 'user_off' WHEN due.state = 'RECONNECT' THEN 'reconnect' ELSE 'account_off' END
        WHERE p.id = due.id;
      CONTINUE;
    END IF;
    IF due.status = 'PENDING' AND due.hold IS DISTINCT FROM 'catch_up'
       AND due.scheduled_at < (CASE WHEN due.claim_at <= resumed THEN resumed ELSE clock_timestamp() END)
                              - make_interval(mins => late_limit_minutes) THEN
      UPDATE posts p SET status = 'FAILED', claim_at = NULL, hold = NULL, cause = 'too_late',
          error_msg = format('Was %s minutes late. The limit is %s minutes.',
                             floor(extract(epoch FROM clock_timestamp() - due.scheduled_at) / 60), late_limit_minutes),
          updated_at = now()
        WHERE p.id = due.id;
      CONTINUE;
    END IF;
    IF due.status = 'PENDING' AND greatest(due.claim_at, due.scheduled_at) < clock_timestamp() - interval '2 minutes' THEN
      pace := make_interval(mins => coalesce((effective_limits(due.user_id) ->> 'schedule_interval_minutes')::integer, 1));
      INSERT INTO catch_up AS c VALUES (due.user_id, clock_timestamp() + pace)
        ON CONFLICT (user_id) DO UPDATE SET next_at = greatest(c.next_at, clock_timestamp()) + pace
        RETURNING c.next_at - pace INTO turn_at;
      IF turn_at > clock_timestamp() THEN
        UPDATE posts p SET claim_at = turn_at, hold = 'catch_up' WHERE p.id = due.id;
        CONTINUE;
      END IF;
    END IF;
    UPDATE posts p SET status = 'PROCESSING', claim_at = clock_timestamp() + make_interval(secs => lease_seconds),
        attempt = p.attempt + 1, hold = NULL,
        updated_at = CASE WHEN due.status = 'PENDING' THEN now() ELSE p.updated_at END
      WHERE p.id = due.id;
    RETURN QUERY SELECT due.id, due.user_id, due.did, due.host, due.attempt + 1, due.scheduled_at, due.content,
      due.facets, due.embed, due.languages, due.reply_to, due.thread,
      (SELECT d.writes FROM deliveries d WHERE d.post_id = due.id);
  END LOOP;
END $$;

-- Before the first byte is sent: [{"rkey", "record"}], one write per post of a thread. What an earlier
-- attempt journalled wins. Returns what is to be sent; null when the post is no longer the caller's, and
-- then nothing may be sent.
CREATE FUNCTION meridian_api.journal_post(post_id uuid, attempt integer, writes json) RETURNS json
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  journalled json;
BEGIN
  IF json_typeof(writes) <> 'array' OR json_array_length(writes) NOT BETWEEN 1 AND 25 OR octet_length(writes::text) > 1000000
     OR EXISTS (SELECT FROM json_array_elements(writes) AS w
                WHERE coalesce(w ->> 'rkey', '') !~ '^[234567abcdefghij][234567a-z]{12}$' OR json_typeof(w -> 'record') IS DISTINCT FROM 'object') THEN
    RAISE EXCEPTION 'writes are 1 to 25 objects with a TID as rkey and a record' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM FROM posts p WHERE p.id = post_id AND p.attempt = journal_post.attempt AND p.status = 'PROCESSING'
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO deliveries AS d (post_id, user_id, did, host, writes, unsent_through)
    SELECT p.id, p.user_id, u.did, coalesce(a.host, 'unknown'), writes, attempt - 1
    FROM posts p JOIN users u ON u.id = p.user_id LEFT JOIN accounts a ON a.user_id = p.user_id WHERE p.id = post_id
    ON CONFLICT ON CONSTRAINT deliveries_pkey DO NOTHING;
  SELECT d.writes INTO journalled FROM deliveries d WHERE d.post_id = journal_post.post_id;
  RETURN journalled;
END $$;

-- The post is public. Result: 'finished'; 'decided' when it had been cancelled or failed by hand
-- meanwhile, and it then carries its address; 'deleted' when it is gone, which the audit log then says.
CREATE FUNCTION meridian_api.finish_post(post_id uuid, attempt integer, at_uri text) RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  sent deliveries;
  post posts;
BEGIN
  SELECT * INTO sent FROM deliveries d WHERE d.post_id = finish_post.post_id;
  IF sent.post_id IS NULL OR at_uri <> 'at://' || sent.did || '/app.bsky.feed.post/' || (sent.writes -> 0 ->> 'rkey') THEN
    RAISE EXCEPTION 'the address is not the one of the journalled record' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT * INTO post FROM posts p WHERE p.id = post_id FOR NO KEY UPDATE;
  UPDATE deliveries d SET sent_at = coalesce(d.sent_at, clock_timestamp()), settled_at = clock_timestamp(),
    outcome = 'published', at_uri = finish_post.at_uri WHERE d.post_id = finish_post.post_id AND d.settled_at IS NULL;
  IF post.id IS NULL THEN
    INSERT INTO audit_log (actor_name, action, entity, entity_id, after)
      VALUES ('api', 'postPublishedAfterDelete', 'post', post_id::text, jsonb_build_object('at_uri', at_uri));
    RETURN 'deleted';
  END IF;
  UPDATE posts p SET status = CASE WHEN p.status IN ('PENDING', 'PROCESSING') THEN 'COMPLETED' ELSE p.status END,
      claim_at = NULL, hold = NULL, at_uri = finish_post.at_uri, at_rkey = sent.writes -> 0 ->> 'rkey',
      executed_at = coalesce(p.executed_at, now()), updated_at = now(),
      cause = CASE WHEN p.status IN ('CANCELLED', 'FAILED') THEN 'published_after_cancel' END,
      error_msg = CASE WHEN p.status IN ('CANCELLED', 'FAILED') THEN 'Was already published when it was cancelled.' END
    WHERE p.id = post_id AND p.at_uri IS DISTINCT FROM finish_post.at_uri;
  RETURN CASE WHEN post.status IN ('CANCELLED', 'FAILED') THEN 'decided' ELSE 'finished' END;
END $$;

-- The causes that a caller may give; the contract has their sentences (contract/src/causes.ts).
CREATE FUNCTION post_causes() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[
    'network_unreachable', 'host_down', 'host_slow', 'rate_limited_account', 'rate_limited_host',
    'token_expired', 'reconnect', 'scope_missing', 'account_deactivated', 'taken_down', 'moved',
    'account_gone', 'invalid_record', 'too_long', 'too_many_images', 'image_too_large', 'image_type',
    'media_missing', 'blob_refused', 'parent_gone', 'altered', 'unknown_outcome', 'too_late', 'quota',
    'published_after_cancel', 'internal']
$$;

-- Not published, and never will be. Result: 'failed', or 'not_yours' when another program or an
-- administrator decided meanwhile.
CREATE FUNCTION meridian_api.fail_post(post_id uuid, attempt integer, cause text, message text) RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM check_cause(cause);
  UPDATE posts p SET status = 'FAILED', claim_at = NULL, hold = NULL, cause = fail_post.cause,
      error_msg = left(message, 1000), executed_at = now(), updated_at = now()
    WHERE p.id = post_id AND p.attempt = fail_post.attempt AND p.status = 'PROCESSING';
  IF NOT FOUND THEN
    RETURN 'not_yours';
  END IF;
  UPDATE deliveries d SET settled_at = now(), outcome = CASE fail_post.cause WHEN 'unknown_outcome' THEN 'unknown' ELSE 'refused' END
    WHERE d.post_id = fail_post.post_id;
  RETURN 'failed';
END $$;

-- To be claimed again after a while, by any worker: the lease ends then. Result: 'put_off' or 'not_yours'.
CREATE FUNCTION meridian_api.put_off_post(post_id uuid, attempt integer, after_seconds integer, cause text) RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM check_cause(cause);
  UPDATE posts p SET claim_at = clock_timestamp() + make_interval(secs => greatest(1, least(after_seconds, 3600))), cause = put_off_post.cause
    WHERE p.id = post_id AND p.attempt = put_off_post.attempt AND p.status = 'PROCESSING';
  RETURN CASE WHEN FOUND THEN 'put_off' ELSE 'not_yours' END;
END $$;

-- Waits until release_posts. A post of which nothing was journalled is PENDING again. Result: 'held' or
-- 'not_yours'.
CREATE FUNCTION meridian_api.hold_post(post_id uuid, attempt integer, hold text) RETURNS text LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  PERFORM check_hold(hold);
  UPDATE posts p SET claim_at = 'infinity', hold = hold_post.hold, updated_at = now(),
      status = CASE WHEN EXISTS (SELECT FROM deliveries d WHERE d.post_id = p.id) THEN p.status ELSE 'PENDING' END
    WHERE p.id = post_id AND p.attempt = hold_post.attempt AND p.status = 'PROCESSING';
  RETURN CASE WHEN FOUND THEN 'held' ELSE 'not_yours' END;
END $$;

-- The cause of a hold has ended for a person: the held posts are planned for their own time again.
CREATE FUNCTION meridian_api.release_posts(user_id uuid, hold text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_hold(hold);
  PERFORM release_held_posts(user_id, ARRAY[hold]);
END $$;

CREATE FUNCTION check_cause(cause text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cause IS NULL OR cause <> ALL (post_causes()) THEN
    RAISE EXCEPTION 'no such cause: %', cause USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;

-- What an administrator or the service itself holds is not a caller's to hold or to release.
CREATE FUNCTION check_hold(hold text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF hold IS NULL OR hold NOT IN ('reconnect', 'account_off', 'host_down', 'rate_limited', 'quota') THEN
    RAISE EXCEPTION 'no such hold: %', hold USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;

-- Rights ------------------------------------------------------------------------------------------

DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'meridian_api'::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', f, current_schema());
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
  END LOOP;
END $$;
