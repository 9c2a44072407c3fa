-- As of when a post is late that waited for a suspension.

-- What was due by the end of the suspension is judged as of that moment, also after a host put it off, for
-- as long as the late limit. What another hold releases later is judged by the clock again.
CREATE FUNCTION late_as_of(s service_settings, claim_at timestamptz, scheduled_at timestamptz, late_limit interval)
RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN least(claim_at, scheduled_at) <= s.resumed_at AND now() <= s.resumed_at + late_limit
              THEN s.resumed_at ELSE now() END
$$;

-- Otherwise as in 0022. The engine takes a post with pictures, a thread or a reply five seconds ahead, to
-- prepare it, and waits for its time. Other workers send what they claim at once, so they get it at its time.
CREATE OR REPLACE FUNCTION meridian_api.claim_posts(
  most integer DEFAULT 50, lease_seconds integer DEFAULT 60, late_limit_minutes integer DEFAULT 60
) RETURNS TABLE (
  post_id uuid, user_id uuid, did text, host text, attempt integer, scheduled_at timestamptz, content text,
  facets jsonb, embed jsonb, languages text[], reply_to text, thread jsonb, writes json
) LANGUAGE plpgsql STRICT AS $$
#variable_conflict use_column
DECLARE
  settings service_settings;
  due      record;
  planned  text;
  lane     uuid;
  pace     interval;
  turn_at  timestamptz;
BEGIN
  IF NOT (most BETWEEN 1 AND 500 AND lease_seconds BETWEEN 5 AND 600 AND late_limit_minutes BETWEEN 1 AND 10080) THEN
    RAISE EXCEPTION 'at most 500 posts, a lease of 5 to 600 seconds, a late limit of 1 to 10080 minutes'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT s.* INTO settings FROM service_settings s WHERE NOT s.is_service_suspended;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  FOR due IN
    SELECT p.*, u.did, user_may_publish(u) AS may_publish, a.host, a.state
    FROM posts p JOIN users u ON u.id = p.user_id LEFT JOIN accounts a ON a.user_id = p.user_id
    WHERE p.claim_at <= clock_timestamp()
      AND (p.status = 'PROCESSING' OR p.status = 'PENDING' AND p.scheduled_at <= clock_timestamp())
    ORDER BY p.claim_at LIMIT most FOR NO KEY UPDATE OF p SKIP LOCKED
  LOOP
    IF NOT due.may_publish OR due.state <> 'CONNECTED' THEN
      UPDATE posts p SET claim_at = 'infinity', hold = CASE
          WHEN NOT due.may_publish THEN 'user_off' WHEN due.state = 'RECONNECT' THEN 'reconnect' ELSE 'account_off' END
        WHERE p.id = due.id;
      CONTINUE;
    END IF;
    planned := CASE due.status WHEN 'PENDING' THEN resume_verdict(settings, due.claim_at, due.scheduled_at) END;
    IF planned = 'too_late' OR planned IS NULL AND due.status = 'PENDING' AND due.hold IS DISTINCT FROM 'catch_up'
       AND due.scheduled_at < late_as_of(settings, due.claim_at, due.scheduled_at, make_interval(mins => late_limit_minutes))
                              - make_interval(mins => late_limit_minutes) THEN
      UPDATE posts p SET status = 'FAILED', claim_at = NULL, hold = NULL, cause = 'too_late',
          error_msg = CASE WHEN planned = 'too_late' THEN 'Not published in time: marked as too late when the service was resumed'
            ELSE format('Was %s minutes late. The limit is %s minutes.',
                        floor(extract(epoch FROM clock_timestamp() - due.scheduled_at) / 60), late_limit_minutes) END,
          updated_at = now()
        WHERE p.id = due.id;
      CONTINUE;
    END IF;
    IF planned = 'turn'
       OR due.status = 'PENDING' AND greatest(due.claim_at, due.scheduled_at) < clock_timestamp() - interval '2 minutes' THEN
      lane := CASE WHEN planned IS NULL THEN due.user_id ELSE resume_lane() END;
      pace := CASE WHEN planned IS NULL
        THEN make_interval(mins => coalesce((effective_limits(due.user_id) ->> 'schedule_interval_minutes')::integer, 1))
        ELSE settings.resume_pace END;
      INSERT INTO catch_up AS c VALUES (lane, clock_timestamp() + pace)
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

-- A function that is replaced loses its settings.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION meridian_api.claim_posts SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
