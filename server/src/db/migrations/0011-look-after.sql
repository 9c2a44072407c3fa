-- A post that an administrator decides by hand may be public all the same: the response was lost, or its
-- worker died after the send. So the engine looks once more at a decided post that was ever claimed.

CREATE OR REPLACE FUNCTION plan_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = 'PROCESSING' AND OLD.status = 'PROCESSING' THEN
    -- Rescheduled while a worker has it: not before the new time, if the worker dies.
    NEW.claim_at := greatest(NEW.claim_at, NEW.scheduled_at);
  ELSE
    NEW.claim_at := CASE
      WHEN NEW.status = 'PENDING'
        THEN first_claim_at(NEW.scheduled_at, NEW.embed, NEW.reply_to, NEW.thread)
      WHEN NEW.status = 'PROCESSING' THEN now()
      -- By then its worker has settled it, or is dead.
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
