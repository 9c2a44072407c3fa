-- Plan tickets, the assignments they grant, and redemption.

-- Brings its own search path, as are_plan_limits does.
CREATE FUNCTION is_limits_override(limits jsonb) RETURNS boolean IMMUTABLE LANGUAGE sql
SET search_path FROM CURRENT AS $$
  SELECT jsonb_typeof(limits) = 'object' AND limits <> '{}'
    AND limits - ARRAY[
      'monthly_posts_limit', 'concurrent_posts_limit', 'schedule_interval_minutes', 'max_post_length',
      'max_schedule_days', 'thread_posts', 'thread_posts_limit'
    ] = '{}'
    AND is_limit_within(limits, 'monthly_posts_limit', -1, 10000)
    AND is_limit_within(limits, 'concurrent_posts_limit', -1, 1000)
    AND is_limit_within(limits, 'schedule_interval_minutes', 1, 15)
    AND coalesce(limits ->> 'schedule_interval_minutes', '1') IN ('1', '5', '10', '15')
    AND is_limit_within(limits, 'max_post_length', 1, 300)
    AND is_limit_within(limits, 'max_schedule_days', -1, 365)
    AND is_switch_or_absent(limits, 'thread_posts')
    AND is_limit_within(limits, 'thread_posts_limit', 1, 25)
$$;

CREATE TABLE tickets (
  id                  uuid PRIMARY KEY,
  code                text NOT NULL UNIQUE
                      CHECK (code ~ '^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$'),
  -- What is stored; past the redemption deadline a ticket counts as EXPIRED whatever stands here.
  status              text NOT NULL DEFAULT 'UNUSED'
                      CHECK (status IN ('UNUSED', 'ACTIVE', 'EXPIRED', 'REVOKED')),
  plan_id             uuid NOT NULL REFERENCES plans,
  issuer_id           uuid NOT NULL REFERENCES admins,
  valid_days          integer NOT NULL CHECK (valid_days BETWEEN 1 AND 3650),
  max_redemptions     integer CHECK (max_redemptions BETWEEN 1 AND 10000),
  redemption_count    integer NOT NULL DEFAULT 0 CHECK (redemption_count >= 0),
  issued_at           timestamptz NOT NULL DEFAULT now(),
  redemption_deadline timestamptz,
  updated_at          timestamptz NOT NULL DEFAULT now(),
  memo                text CHECK (length(memo) BETWEEN 1 AND 1000),
  limits_override     jsonb CHECK (is_limits_override(limits_override)),
  CONSTRAINT tickets_within_maximum CHECK (max_redemptions IS NULL OR redemption_count <= max_redemptions),
  CONSTRAINT tickets_revoked_unused CHECK (status <> 'REVOKED' OR redemption_count = 0),
  CONSTRAINT tickets_unused_means_unredeemed CHECK (status <> 'UNUSED' OR redemption_count = 0),
  CONSTRAINT tickets_active_means_redeemed CHECK (status <> 'ACTIVE' OR redemption_count > 0)
);
-- With status and deadline, which say what a ticket counts as, a page passes over tickets of another
-- status without reading their rows.
CREATE INDEX tickets_listed ON tickets (issued_at, id) INCLUDE (status, redemption_deadline);
CREATE INDEX tickets_plan ON tickets (plan_id);
CREATE INDEX tickets_issuer ON tickets (issuer_id);
-- For the search. Plans and issuers are few and found without an index.
CREATE INDEX tickets_code_part ON tickets USING gin (lower(code) gin_trgm_ops);
CREATE INDEX tickets_memo_part ON tickets USING gin (lower(memo) gin_trgm_ops);

CREATE FUNCTION check_ticket_plan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The share lock makes issuing wait for a deactivation under way, and the other way round.
  PERFORM FROM plans WHERE id = NEW.plan_id AND is_active AND tier <> 'FREE' FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a ticket needs an active plan that is not free'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'tickets_plan_available';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tickets_plan_available BEFORE INSERT ON tickets FOR EACH ROW
  EXECUTE FUNCTION check_ticket_plan();

-- A code is printed and sent, and redemption reads the plan before it locks the ticket.
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

-- Assignments -------------------------------------------------------------------------------------

CREATE TABLE plan_assignments (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  plan_id      uuid NOT NULL REFERENCES plans,
  ticket_id    uuid REFERENCES tickets,
  status       text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'EXPIRED', 'REVOKED')),
  activated_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz CHECK (expires_at > activated_at),
  revoked_at   timestamptz CHECK ((revoked_at IS NOT NULL) = (status = 'REVOKED')),
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- One user redeems a ticket once.
  UNIQUE (ticket_id, user_id)
);
CREATE INDEX plan_assignments_user ON plan_assignments (user_id, created_at, id);
CREATE INDEX plan_assignments_plan ON plan_assignments (plan_id);

CREATE FUNCTION refuse_assignment_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a % assignment is final', OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'plan_assignments_final_status';
END $$;
CREATE TRIGGER plan_assignments_final_status BEFORE UPDATE OF status ON plan_assignments FOR EACH ROW
  WHEN (OLD.status <> 'ACTIVE' AND NEW.status <> OLD.status)
  EXECUTE FUNCTION refuse_assignment_revival();

-- Expiry ------------------------------------------------------------------------------------------

-- A ticket past its deadline and an assignment past its end are EXPIRED, whatever is stored: no program
-- has to run at that moment. One rule for every reader, as functions that the planner inlines.

CREATE FUNCTION ticket_status(
  status text, redemption_deadline timestamptz, moment timestamptz DEFAULT now()
) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
$$ SELECT CASE WHEN redemption_deadline <= moment THEN 'EXPIRED' ELSE status END $$;

-- An assignment that was revoked before its end stays REVOKED.
CREATE FUNCTION assignment_status(
  status text, expires_at timestamptz, moment timestamptz DEFAULT now()
) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
$$ SELECT CASE WHEN status = 'ACTIVE' AND expires_at <= moment THEN 'EXPIRED' ELSE status END $$;

-- For other programs that read.
CREATE VIEW current_tickets AS
  SELECT id, code, ticket_status(status, redemption_deadline) AS status, plan_id, issuer_id, valid_days,
         max_redemptions, redemption_count, issued_at, redemption_deadline, updated_at, memo, limits_override
  FROM tickets;

-- With the limits in force: those of the plan, under those that the redeemed ticket overrides.
CREATE VIEW current_assignments AS
  SELECT a.id, a.user_id, a.plan_id, a.ticket_id, assignment_status(a.status, a.expires_at) AS status,
         a.activated_at, a.expires_at, a.revoked_at, a.created_at,
         p.limits || coalesce(t.limits_override, '{}') AS limits
  FROM plan_assignments a JOIN plans p ON p.id = a.plan_id LEFT JOIN tickets t ON t.id = a.ticket_id;

-- Redemption --------------------------------------------------------------------------------------

-- Ids begin with the time, as those made elsewhere do; PostgreSQL makes such itself only since 18.
CREATE FUNCTION new_row_id() RETURNS uuid VOLATILE LANGUAGE sql AS $$
  SELECT encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
            PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
            FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- What the redeeming side of the service calls. In the database, so that every program keeps the same
-- rules. One row, always: unless `result` is 'redeemed', nothing was changed.
CREATE FUNCTION redeem_ticket(
  code text, user_id uuid,
  OUT result text, OUT assignment_id uuid, OUT expires_at timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  ticket   tickets;
  redeemer users;
  moment   timestamptz;
BEGIN
  -- Locks in the order plan, ticket, user, as everywhere. A ticket's plan never changes, so reading
  -- it before the ticket is locked does no harm.
  PERFORM FROM plans WHERE id = (SELECT t.plan_id FROM tickets t WHERE t.code = redeem_ticket.code)
    FOR KEY SHARE;
  SELECT * INTO ticket FROM tickets t WHERE t.code = redeem_ticket.code FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    result := 'unknown';
    RETURN;
  END IF;
  -- Keeps a suspension or a prohibition waiting until the plan is granted, and the other way round.
  SELECT * INTO redeemer FROM users u WHERE u.id = redeem_ticket.user_id FOR SHARE;
  -- Not now(), which is when the transaction began: a redemption that waited past the deadline is too late.
  moment := clock_timestamp();

  result := CASE
    WHEN ticket.status = 'REVOKED' THEN 'revoked'
    WHEN EXISTS (SELECT FROM plan_assignments a
                 WHERE a.ticket_id = ticket.id AND a.user_id = redeem_ticket.user_id)
      THEN 'already_redeemed'
    WHEN ticket_status(ticket.status, ticket.redemption_deadline, moment) = 'EXPIRED' THEN 'expired'
    WHEN ticket.redemption_count >= ticket.max_redemptions THEN 'used_up'
    WHEN redeemer.id IS NULL OR NOT redeemer.is_active OR redeemer.status IN ('SUSPENDED', 'BLOCKED')
      THEN 'user_inactive'
    WHEN redeemer.upgrade_prohibited THEN 'upgrade_prohibited'
    ELSE 'redeemed'
  END;
  IF result <> 'redeemed' THEN
    RETURN;
  END IF;

  UPDATE tickets t SET redemption_count = t.redemption_count + 1, status = 'ACTIVE', updated_at = moment
    WHERE t.id = ticket.id;
  assignment_id := new_row_id();
  -- Hours, since a day of the session's time zone may have 23 or 25 of them.
  expires_at := moment + make_interval(hours => 24 * ticket.valid_days);
  INSERT INTO plan_assignments (id, user_id, plan_id, ticket_id, activated_at, expires_at, created_at)
    VALUES (assignment_id, redeem_ticket.user_id, ticket.plan_id, ticket.id, moment, expires_at, moment);
END $$;
