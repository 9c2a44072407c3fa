-- What the redeeming side of the service calls: a user gives a ticket's code and gets its plan, or
-- hears why not. Here and not in a program, so that every program keeps the same rules.

-- Ids begin with the time, as those made elsewhere do; PostgreSQL makes such itself only since 18.
CREATE FUNCTION new_row_id() RETURNS uuid VOLATILE LANGUAGE sql AS $$
  SELECT encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
            PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
            FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;

-- One row, always. `result` says what came of it; unless it is 'redeemed', nothing was changed.
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
  -- Not now(), which is when the transaction began: who waited past the deadline is too late.
  moment := clock_timestamp();

  result := CASE
    WHEN ticket.status = 'REVOKED' THEN 'revoked'
    WHEN EXISTS (SELECT FROM plan_assignments a
                 WHERE a.ticket_id = ticket.id AND a.user_id = redeem_ticket.user_id)
      THEN 'already_redeemed'
    WHEN ticket.status = 'EXPIRED' OR ticket.redemption_deadline <= moment THEN 'expired'
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
