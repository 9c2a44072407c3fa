-- No writer of a post, a user, an account or the settings can forget the engine or the version.

-- Posts that are held for a cause that has ended. An overdue post is then planned for its own time, so that
-- the rules for late posts apply to it.
CREATE OR REPLACE FUNCTION release_held_posts(author uuid, causes text[]) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE posts SET hold = NULL,
    claim_at = CASE status WHEN 'PENDING' THEN first_claim_at(scheduled_at, embed, reply_to, thread) ELSE now() END
  WHERE user_id = author AND claim_at = 'infinity' AND hold = ANY (causes)
$$;

-- Posts -------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
-- By name: a change of a column that only the engine reads is none that an administrator could overwrite.
CREATE OR REPLACE TRIGGER posts_version_rises BEFORE UPDATE ON posts FOR EACH ROW
  WHEN (NEW.version = OLD.version AND
        (NEW.user_id, NEW.content, NEW.facets, NEW.embed, NEW.languages, NEW.status, NEW.scheduled_at,
         NEW.created_at, NEW.updated_at, NEW.executed_at, NEW.at_uri, NEW.at_rkey, NEW.error_msg,
         NEW.reply_to, NEW.thread)
        IS DISTINCT FROM
        (OLD.user_id, OLD.content, OLD.facets, OLD.embed, OLD.languages, OLD.status, OLD.scheduled_at,
         OLD.created_at, OLD.updated_at, OLD.executed_at, OLD.at_uri, OLD.at_rkey, OLD.error_msg,
         OLD.reply_to, OLD.thread))
  EXECUTE FUNCTION raise_version();

-- The engine sets claim_at with every change of its own. Any other change of status or time is planned here.
CREATE OR REPLACE FUNCTION plan_claim() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = 'PROCESSING' AND OLD.status = 'PROCESSING' THEN
    -- Rescheduled while a worker has it: not before the new time, if the worker dies.
    NEW.claim_at := greatest(NEW.claim_at, NEW.scheduled_at);
  ELSE
    NEW.claim_at := CASE
      WHEN NEW.status = 'PENDING'
        THEN first_claim_at(NEW.scheduled_at, NEW.embed, NEW.reply_to, NEW.thread)
      WHEN NEW.status = 'PROCESSING' THEN now()
      -- A post that is decided by hand may be public all the same: the engine looks once more. By then its
      -- worker has settled it, or is dead.
      WHEN NEW.attempt > 0 AND NEW.at_uri IS NULL THEN now() + interval '15 seconds' END;
    NEW.hold := NULL;
    NEW.cause := CASE WHEN NEW.at_uri IS NOT NULL AND NEW.status IN ('CANCELLED', 'FAILED')
                      THEN 'published_after_cancel' END;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.status = 'PROCESSING' THEN
    PERFORM pg_notify('engine', 'post:' || NEW.id);
  ELSIF NEW.status = 'PROCESSING' THEN
    PERFORM pg_notify('engine', 'wake');
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER posts_plan_insert BEFORE INSERT ON posts FOR EACH ROW
  WHEN (NEW.claim_at IS NULL AND NEW.status IN ('PENDING', 'PROCESSING')) EXECUTE FUNCTION plan_claim();
CREATE OR REPLACE TRIGGER posts_plan_update BEFORE UPDATE OF status, scheduled_at ON posts FOR EACH ROW
  WHEN ((NEW.status <> OLD.status OR NEW.scheduled_at <> OLD.scheduled_at)
        AND NEW.claim_at IS NOT DISTINCT FROM OLD.claim_at AND NEW.attempt = OLD.attempt)
  EXECUTE FUNCTION plan_claim();

-- The keys of journalled records; their texts are gone. An entry that another program once wrote may have any
-- shape, nest deeper than these functions can follow, or hold texts that json takes and they do not: it would
-- keep its post from being deleted.
CREATE OR REPLACE FUNCTION without_records(writes json) RETURNS json LANGUAGE plpgsql IMMUTABLE
SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (SELECT coalesce(json_agg(json_build_object(
            'rkey', CASE json_typeof(w -> 'rkey') WHEN 'string' THEN left(w ->> 'rkey', 512) END,
            'cid', CASE json_typeof(w -> 'cid') WHEN 'string' THEN left(w ->> 'cid', 100) END)), '[]')
          FROM (SELECT w FROM json_array_elements(writes) AS e (w) LIMIT 25) AS first);
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN '[]';
END $$;

CREATE OR REPLACE FUNCTION forget_posts() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_notify('engine', 'post:' || id) FROM gone WHERE status = 'PROCESSING';
  -- The journal outlives its post, since a new one with the same id would send the old record, but not its
  -- texts. A post that may be on the wire keeps them until the engine has asked the host; by then its worker
  -- has settled it, or is dead.
  WITH looked AS (
    SELECT post_id,
      CASE WHEN gone.attempt > 0 AND gone.at_uri IS NULL AND d.settled_at IS NULL
           THEN now() + interval '15 seconds' ELSE d.look_at END AS look_at
    FROM gone JOIN deliveries d ON d.post_id = gone.id)
  UPDATE deliveries d SET deleted_at = now(), look_at = looked.look_at,
    writes = CASE WHEN looked.look_at IS NULL THEN without_records(d.writes) ELSE d.writes END
  FROM looked WHERE d.post_id = looked.post_id;
  DELETE FROM delivery_attempts a USING gone WHERE a.post_id = gone.id;
  -- A retry of the deleted post becomes one of the post before it, which also keeps the address of a
  -- published retry: else it could be retried once more.
  UPDATE posts p SET retry_of = gone.retry_of FROM gone WHERE p.retry_of = gone.id AND gone.retry_of IS NOT NULL;
  UPDATE posts p SET at_uri = gone.at_uri, at_rkey = gone.at_rkey, version = p.version + 1
  FROM gone
  WHERE p.id = gone.retry_of AND (p.status = 'FAILED') IS TRUE AND p.at_uri IS NULL AND gone.at_uri IS NOT NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER posts_forgotten AFTER DELETE ON posts REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION forget_posts();

-- Switches ----------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION change_user() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.version = OLD.version THEN
    NEW.version := OLD.version + 1;
  END IF;
  IF user_may_publish(NEW) <> user_may_publish(OLD) THEN
    IF user_may_publish(NEW) THEN
      PERFORM release_held_posts(NEW.id, '{user_off}');
    END IF;
    PERFORM pg_notify('engine', 'user:' || NEW.id);
  END IF;
  RETURN NEW;
END $$;
-- Columns by name: a trigger before the update does not know the generated column yet.
CREATE OR REPLACE TRIGGER users_change BEFORE UPDATE ON users FOR EACH ROW
  WHEN ((NEW.did, NEW.handle, NEW.display_name, NEW.avatar, NEW.status, NEW.is_active,
         NEW.has_access_keyword_access, NEW.upgrade_prohibited, NEW.created_at, NEW.updated_at)
        IS DISTINCT FROM
        (OLD.did, OLD.handle, OLD.display_name, OLD.avatar, OLD.status, OLD.is_active,
         OLD.has_access_keyword_access, OLD.upgrade_prohibited, OLD.created_at, OLD.updated_at))
  EXECUTE FUNCTION change_user();

CREATE OR REPLACE FUNCTION switch_account() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.state = 'CONNECTED' THEN
    PERFORM release_held_posts(NEW.user_id, '{reconnect,account_off}');
  END IF;
  PERFORM pg_notify('engine', 'user:' || NEW.user_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER accounts_switch AFTER INSERT OR UPDATE ON accounts FOR EACH ROW
  EXECUTE FUNCTION switch_account();

CREATE OR REPLACE FUNCTION change_settings() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.version = OLD.version THEN
    NEW.version := OLD.version + 1;
  END IF;
  IF NEW.is_closed_beta <> OLD.is_closed_beta THEN
    NEW.closed_beta_at := CASE WHEN NEW.is_closed_beta THEN clock_timestamp() END;
  END IF;
  -- The details of a suspension end with it, and the plan of a resume ends with the next suspension.
  IF NEW.is_service_suspended AND NOT OLD.is_service_suspended THEN
    NEW.suspended_at := clock_timestamp();
    NEW.resume_as_of := NULL;
    NEW.resume_too_late := NULL;
    NEW.resume_pace := NULL;
    NEW.resume_ends_at := NULL;
  ELSIF OLD.is_service_suspended AND NOT NEW.is_service_suspended THEN
    NEW.resumed_at := clock_timestamp();
    NEW.suspended_by := NULL;
    NEW.suspension_reason := NULL;
    NEW.expected_end_at := NULL;
    NEW.notice := NULL;
  END IF;
  IF NEW.is_service_suspended <> OLD.is_service_suspended THEN
    PERFORM pg_notify('engine', 'settings:' || NEW.id);
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER service_settings_change BEFORE UPDATE ON service_settings FOR EACH ROW
  WHEN (NEW.* IS DISTINCT FROM OLD.*) EXECUTE FUNCTION change_settings();
