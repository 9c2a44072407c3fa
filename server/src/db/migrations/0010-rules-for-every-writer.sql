-- Rules that only this service kept, now kept for every program that writes to the tables.

-- Tickets -----------------------------------------------------------------------------------------

-- A code is printed and sent. Whoever redeems looks up the plan before the ticket is locked.
CREATE TRIGGER tickets_code_immutable BEFORE UPDATE OF code ON tickets FOR EACH ROW
  WHEN (OLD.code <> NEW.code) EXECUTE FUNCTION refuse_immutable_change('code');
CREATE TRIGGER tickets_plan_immutable BEFORE UPDATE OF plan_id ON tickets FOR EACH ROW
  WHEN (OLD.plan_id <> NEW.plan_id) EXECUTE FUNCTION refuse_immutable_change('plan_id');

CREATE FUNCTION refuse_ticket_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a % ticket %', OLD.status, TG_ARGV[0]
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER tickets_final_status BEFORE UPDATE OF status ON tickets FOR EACH ROW
  WHEN (OLD.status IN ('EXPIRED', 'REVOKED') AND NEW.status <> OLD.status)
  EXECUTE FUNCTION refuse_ticket_change('is final');
CREATE TRIGGER tickets_only_unused_revoked BEFORE UPDATE OF status ON tickets FOR EACH ROW
  WHEN (NEW.status = 'REVOKED' AND OLD.status NOT IN ('UNUSED', 'REVOKED'))
  EXECUTE FUNCTION refuse_ticket_change('cannot be revoked');
-- Else a ticket could be redeemed once more for each redemption taken back.
CREATE TRIGGER tickets_redemptions_never_fall BEFORE UPDATE OF redemption_count ON tickets FOR EACH ROW
  WHEN (NEW.redemption_count < OLD.redemption_count)
  EXECUTE FUNCTION refuse_ticket_change('keeps its redemptions');

-- Plans -------------------------------------------------------------------------------------------

CREATE FUNCTION raise_plan_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
-- Whoever sets the version is left alone, and an update that changes nothing is no change.
CREATE TRIGGER plans_version_rises BEFORE UPDATE ON plans FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.* IS DISTINCT FROM OLD.*)
  EXECUTE FUNCTION raise_plan_version();

-- Counting anew -----------------------------------------------------------------------------------

-- As before, but the tables come first. Who changes a handle or deletes a user has written to users
-- already when asking for the other lock: in the old order the two waited for each other. Whoever
-- holds that lock while adding up or searching only reads the tables, which this lets them.
CREATE OR REPLACE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE users, posts IN SHARE MODE;
  PERFORM pg_advisory_xact_lock(7261545);
  DELETE FROM post_notes;
  DELETE FROM user_notes;
  DELETE FROM counts;
  DELETE FROM user_post_counts;
  DELETE FROM search_counts;
  -- In the order in which they are read: neighbours then share a page.
  INSERT INTO counts (axis, width, status, bucket, n)
    SELECT axis, width, status, bucket, n FROM true_counts ORDER BY 1, 2, 3, 4;
  INSERT INTO user_post_counts (user_id, status, n)
    SELECT user_id, status, count(*) FROM posts GROUP BY 1, 2 ORDER BY 1, 2;
END $$;
