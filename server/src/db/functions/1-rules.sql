-- Rules that are asked in SQL, each written once. Those in RETURN are written into the statement that calls them.

CREATE OR REPLACE FUNCTION user_may_publish(person users) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN person.is_active AND person.status IN ('ACTIVE', 'RESTRICTED');

-- The word of what keeps a user's posts from being published; null when nothing does. Users without an account
-- of their own publish to the default host, if there is one.
CREATE OR REPLACE FUNCTION publishing_hold(person users, account accounts, default_host text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE
  WHEN NOT user_may_publish(person) THEN 'user_off'
  WHEN account.state = 'RECONNECT' OR coalesce(account.host, default_host) IS NULL THEN 'reconnect'
  WHEN account.state <> 'CONNECTED' THEN 'account_off'
END;

-- A ticket past its deadline and an assignment past its end are EXPIRED, whatever is stored: no program
-- has to run at that moment.
CREATE OR REPLACE FUNCTION ticket_status(
  status text, redemption_deadline timestamptz, moment timestamptz DEFAULT now()
) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN redemption_deadline <= moment THEN 'EXPIRED' ELSE status END;

-- An assignment that was revoked before its end stays REVOKED.
CREATE OR REPLACE FUNCTION assignment_status(
  status text, expires_at timestamptz, moment timestamptz DEFAULT now()
) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN status = 'ACTIVE' AND expires_at <= moment THEN 'EXPIRED' ELSE status END;

CREATE OR REPLACE FUNCTION access_keyword_status(keyword access_keywords) RETURNS text LANGUAGE sql STABLE
RETURN CASE
  WHEN keyword.revoked_at IS NOT NULL THEN 'REVOKED'
  WHEN keyword.expires_at <= now() THEN 'EXPIRED'
  WHEN keyword.uses >= keyword.max_uses THEN 'USED_UP'
  ELSE 'ACTIVE'
END;

-- Limits in force ---------------------------------------------------------------------------------

-- The plan whose limits hold for a user: the best active assignment, the latest of equal ones, else the
-- free plan. No row without any.
CREATE OR REPLACE FUNCTION effective_plan(person uuid)
RETURNS TABLE (assignment_id uuid, plan_id uuid, ticket_id uuid) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT found.assignment_id, found.plan_id, found.ticket_id FROM (
    SELECT a.id AS assignment_id, a.plan_id, a.ticket_id, a.created_at, 0 AS display_order,
           array_position(ARRAY['ENTERPRISE', 'PREMIUM', 'BASIC', 'FREE'], p.tier) AS rank
    FROM plan_assignments a JOIN plans p ON p.id = a.plan_id
    WHERE a.user_id = person AND assignment_status(a.status, a.expires_at) = 'ACTIVE'
    UNION ALL
    SELECT NULL, id, NULL, NULL, display_order, 5 FROM plans WHERE tier = 'FREE' AND is_active
  ) AS found ORDER BY rank, created_at DESC, display_order, plan_id LIMIT 1;
END;

-- The limits of that plan, under those that the redeemed ticket replaces. Null without any plan.
CREATE OR REPLACE FUNCTION effective_limits(person uuid) RETURNS jsonb LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT p.limits || coalesce(t.limits_override, '{}')
  FROM effective_plan(person) e JOIN plans p ON p.id = e.plan_id LEFT JOIN tickets t ON t.id = e.ticket_id
$$;

-- True when so many posts of the month are due before this one that the plan in force has no room for it.
CREATE OR REPLACE FUNCTION is_over_quota(author uuid, at timestamptz, post uuid) RETURNS boolean LANGUAGE sql STABLE
SET search_path FROM CURRENT AS $$
  SELECT most >= 0 AND most <= (
    SELECT count(*) FROM (
      SELECT FROM posts p
      WHERE p.user_id = author AND p.status NOT IN ('CANCELLED', 'FAILED')
        -- The first month that there is has no beginning.
        AND p.scheduled_at >= date_trunc('month', greatest(at, '0001-01-01 00:00:00+00'), 'UTC')
        AND (p.scheduled_at, p.id) < (at, post)
      LIMIT greatest(most, 0)) AS earlier)
  FROM (SELECT coalesce((effective_limits(author) ->> 'monthly_posts_limit')::integer, -1) AS most) AS plan
$$;

-- When a post is due ------------------------------------------------------------------------------

-- Pictures, references and threads take calls before the post itself can be sent.
CREATE OR REPLACE FUNCTION first_claim_at(scheduled_at timestamptz, embed jsonb, reply_to text, thread jsonb)
RETURNS timestamptz LANGUAGE sql IMMUTABLE
RETURN CASE WHEN coalesce(embed, thread) IS NULL AND reply_to IS NULL
            THEN scheduled_at ELSE scheduled_at - interval '5 seconds' END;

-- A post that was due by the end of a suspension is judged as of that moment, also after a host put it off, for
-- as long as the late limit. A post that another hold releases later is judged by the clock again.
CREATE OR REPLACE FUNCTION late_as_of(s service_settings, claim_at timestamptz, scheduled_at timestamptz, late_limit interval)
RETURNS timestamptz LANGUAGE sql STABLE
RETURN CASE WHEN least(claim_at, scheduled_at) <= s.resumed_at AND now() <= s.resumed_at + late_limit
            THEN s.resumed_at ELSE now() END;

-- The word of the plan of a resume about a PENDING post: 'too_late'; 'turn' when it gets its turn at the plan's
-- pace; 'in_time' when it had its turn and was put off since; null when the plan is not for it.
CREATE OR REPLACE FUNCTION resume_verdict(s service_settings, claim_at timestamptz, scheduled_at timestamptz)
RETURNS text LANGUAGE sql STABLE
RETURN CASE
  WHEN s.resume_as_of IS NULL OR now() > s.resume_ends_at OR least(claim_at, scheduled_at) > s.resume_as_of THEN NULL
  WHEN claim_at > s.resume_as_of THEN 'in_time'
  WHEN scheduled_at <@ s.resume_too_late THEN 'too_late'
  ELSE 'turn' END;

-- The turns of a plan are counted in catch_up under no user's id.
CREATE OR REPLACE FUNCTION resume_lane() RETURNS uuid LANGUAGE sql IMMUTABLE
RETURN '00000000-0000-0000-0000-000000000000'::uuid;

-- Ids begin with the time, as those made elsewhere do; PostgreSQL makes such itself only since 18.
CREATE OR REPLACE FUNCTION new_row_id() RETURNS uuid LANGUAGE sql VOLATILE
RETURN encode(set_bit(set_bit(
  overlay(uuid_send(gen_random_uuid())
          PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
          FROM 1 FOR 6),
  52, 1), 53, 1), 'hex')::uuid;

-- Finding people ----------------------------------------------------------------------------------

-- Up to `most` people whose search text matches a pattern. The index is asked for `part`, a piece of the
-- pattern: the rest, such as '.bsky.social', stands in so many texts that looking it up costs more; as a
-- test of its value it is no condition for the index. Planned for each pattern: few people are found by
-- the index, many by reading the table until there are enough.
CREATE OR REPLACE FUNCTION find_people(pattern text, part text, most integer) RETURNS uuid[]
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET search_path FROM CURRENT AS $$
BEGIN
  RETURN ARRAY(SELECT id FROM users
               WHERE search_text LIKE part AND (search_text LIKE pattern) IS TRUE LIMIT most);
END $$;

-- The number of posts, in some statuses, of all people who match, but for the deltas pending. Counted no
-- further than `most`: a search that meets most people is done after some hundred of them.
CREATE OR REPLACE FUNCTION posts_of_people(pattern text, statuses text[], most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan SET search_path FROM CURRENT AS $$
DECLARE
  total bigint := 0;
  posts integer;
BEGIN
  -- A lookup per person: joined, the counters of everybody could be read first.
  FOR posts IN SELECT (SELECT posts_in(statuses, c) FROM user_post_counters c WHERE c.user_id = u.id)
               FROM users u WHERE u.search_text LIKE pattern LOOP
    total := total + coalesce(posts, 0);
    EXIT WHEN total > most;
  END LOOP;
  RETURN total;
END $$;
