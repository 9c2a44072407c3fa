-- A retry is a new post that names the failed one. No foreign key: it would make every delete of a post
-- look for a retry, and a reader that finds no such post shows no link.
ALTER TABLE posts ADD COLUMN retry_of uuid;
-- One retry of a post, also when two requests ask for it at the same moment.
CREATE UNIQUE INDEX posts_retry_of ON posts (retry_of) WHERE retry_of IS NOT NULL;

-- When an administrator was last here. A request after a gap begins another visit, and `since` is the end
-- of the one before.
CREATE TABLE admin_visits (
  admin_id uuid PRIMARY KEY REFERENCES admins (id) ON DELETE CASCADE,
  seen_at  timestamptz NOT NULL,
  since    timestamptz
);

-- What one administrator leaves for the next: one text, replaced by the next one.
CREATE TABLE handover (
  id         integer     PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  text       text        NOT NULL DEFAULT '' CHECK (length(text) <= 1000),
  author     text        CHECK (length(author) <= 64),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version    integer     NOT NULL DEFAULT 1
);
INSERT INTO handover DEFAULT VALUES;

-- What happened since a visit: redeemed tickets, and changed settings by time.
CREATE INDEX plan_assignments_redeemed ON plan_assignments (created_at) WHERE ticket_id IS NOT NULL;
CREATE INDEX audit_log_settings ON audit_log (at) WHERE entity = 'settings';

-- Users who were there before closed beta was turned on are unaffected by it.
ALTER TABLE service_settings ADD COLUMN closed_beta_at timestamptz;
UPDATE service_settings SET closed_beta_at = updated_at WHERE is_closed_beta;
CREATE FUNCTION stamp_closed_beta() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.closed_beta_at := CASE WHEN NEW.is_closed_beta THEN clock_timestamp() END;
  RETURN NEW;
END $$;
CREATE TRIGGER service_settings_closed_beta BEFORE UPDATE OF is_closed_beta ON service_settings
  FOR EACH ROW WHEN (OLD.is_closed_beta <> NEW.is_closed_beta) EXECUTE FUNCTION stamp_closed_beta();

-- The plan whose limits hold for a user: the best active assignment, the latest of equal ones, else the
-- free plan. One rule for the limits and for showing where they come from.
CREATE FUNCTION effective_plan(person uuid)
RETURNS TABLE (assignment_id uuid, plan_id uuid, ticket_id uuid) LANGUAGE sql STABLE AS $$
  SELECT found.assignment_id, found.plan_id, found.ticket_id FROM (
    SELECT a.id AS assignment_id, a.plan_id, a.ticket_id, a.created_at, 0 AS display_order,
           array_position(ARRAY['ENTERPRISE', 'PREMIUM', 'BASIC', 'FREE'], p.tier) AS rank
    FROM plan_assignments a JOIN plans p ON p.id = a.plan_id
    WHERE a.user_id = person AND assignment_status(a.status, a.expires_at) = 'ACTIVE'
    UNION ALL
    SELECT NULL, id, NULL, NULL, display_order, 5 FROM plans WHERE tier = 'FREE' AND is_active
  ) AS found ORDER BY rank, created_at DESC, display_order, plan_id LIMIT 1
$$;
CREATE OR REPLACE FUNCTION effective_limits(person uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT p.limits || coalesce(t.limits_override, '{}')
  FROM effective_plan(person) e JOIN plans p ON p.id = e.plan_id LEFT JOIN tickets t ON t.id = e.ticket_id
$$;
