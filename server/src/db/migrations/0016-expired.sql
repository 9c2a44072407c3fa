-- What has run out is EXPIRED, whatever is stored: no program has to run at that moment. One rule for
-- every reader, as functions that PostgreSQL pastes into the query.

CREATE FUNCTION ticket_status(
  status text, redemption_deadline timestamptz, moment timestamptz DEFAULT now()
) RETURNS text IMMUTABLE PARALLEL SAFE LANGUAGE sql AS
$$ SELECT CASE WHEN redemption_deadline <= moment THEN 'EXPIRED' ELSE status END $$;

-- Of an assignment that was revoked before its end that stays to be said.
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

-- As before, by the rule above.
CREATE OR REPLACE FUNCTION redeem_ticket(
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
  -- Not now(), which is when the transaction began: who waited past the deadline is too late.
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
