-- The engine publishes due posts: docs/engine.md explains it. It claims rows of posts itself, so that
-- no queue beside the table has to be kept in step with it.

ALTER TABLE posts
  -- When the engine looks at the post next. Null: not the engine's. Infinity: held.
  ADD COLUMN claim_at timestamptz,
  -- The fencing number, raised by every claim: a worker that lost its lease can settle nothing.
  ADD COLUMN attempt  integer NOT NULL DEFAULT 0,
  -- Why a post waits; the words are HOLDS of the contract.
  ADD COLUMN hold     text CHECK (length(hold) <= 40),
  -- Why it failed or is late; the words are CAUSES of the contract.
  ADD COLUMN cause    text CHECK (length(cause) <= 40),
  -- AT URI of the post it replies to.
  ADD COLUMN reply_to text CHECK (length(reply_to) <= 2600),
  -- The further posts of a thread: content, facets, embed and languages of each. One row, because a
  -- thread is published in one call, whole or not at all.
  ADD COLUMN thread   jsonb CHECK (jsonb_typeof(thread) = 'array' AND jsonb_array_length(thread) BETWEEN 1 AND 24);

-- By name: what only the engine reads is no change that an administrator could overwrite.
DROP TRIGGER posts_version_rises ON posts;
CREATE TRIGGER posts_version_rises BEFORE UPDATE ON posts FOR EACH ROW
  WHEN (NEW.version = OLD.version AND
        (NEW.user_id, NEW.content, NEW.facets, NEW.embed, NEW.languages, NEW.status, NEW.scheduled_at,
         NEW.created_at, NEW.updated_at, NEW.executed_at, NEW.at_uri, NEW.at_rkey, NEW.error_msg,
         NEW.reply_to, NEW.thread)
        IS DISTINCT FROM
        (OLD.user_id, OLD.content, OLD.facets, OLD.embed, OLD.languages, OLD.status, OLD.scheduled_at,
         OLD.created_at, OLD.updated_at, OLD.executed_at, OLD.at_uri, OLD.at_rkey, OLD.error_msg,
         OLD.reply_to, OLD.thread))
  EXECUTE FUNCTION raise_version();

-- What was due before there was an engine waits for an administrator; otherwise the first start would
-- publish all of it at once.
UPDATE posts SET
  claim_at = CASE WHEN status = 'PENDING' AND scheduled_at > now() THEN scheduled_at ELSE 'infinity' END,
  hold = CASE WHEN status = 'PENDING' AND scheduled_at > now() THEN NULL ELSE 'before_engine' END
WHERE status IN ('PENDING', 'PROCESSING');

CREATE INDEX posts_claim ON posts (claim_at) WHERE claim_at IS NOT NULL;
CREATE INDEX posts_held ON posts (user_id) WHERE claim_at = 'infinity';
CREATE INDEX posts_hold ON posts (hold) WHERE hold IS NOT NULL;

-- Planning ----------------------------------------------------------------------------------------

-- Pictures, references and threads take calls before the post itself can be sent.
CREATE FUNCTION first_claim_at(scheduled_at timestamptz, embed jsonb, reply_to text, thread jsonb)
RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN coalesce(embed, thread) IS NULL AND reply_to IS NULL
              THEN scheduled_at ELSE scheduled_at - interval '5 seconds' END
$$;

-- The engine sets claim_at with every change of its own. Any other change of status or time is planned
-- here, so that no writer can forget the engine.
CREATE FUNCTION plan_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = 'PROCESSING' AND OLD.status = 'PROCESSING' THEN
    -- Rescheduled while a worker has it: not before the new time, if the worker dies.
    NEW.claim_at := greatest(NEW.claim_at, NEW.scheduled_at);
  ELSE
    NEW.claim_at := CASE NEW.status WHEN 'PENDING' THEN first_claim_at(NEW.scheduled_at, NEW.embed, NEW.reply_to, NEW.thread) WHEN 'PROCESSING' THEN now() END;
    NEW.hold := NULL;
    NEW.cause := NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.status = 'PROCESSING' THEN
    PERFORM pg_notify('engine', 'post:' || NEW.id);
  ELSIF NEW.status = 'PROCESSING' THEN
    PERFORM pg_notify('engine', 'wake');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER posts_plan_insert BEFORE INSERT ON posts FOR EACH ROW
  WHEN (NEW.claim_at IS NULL AND NEW.status IN ('PENDING', 'PROCESSING')) EXECUTE FUNCTION plan_claim();
CREATE TRIGGER posts_plan_update BEFORE UPDATE OF status, scheduled_at ON posts FOR EACH ROW
  WHEN ((NEW.status <> OLD.status OR NEW.scheduled_at <> OLD.scheduled_at)
        AND NEW.claim_at IS NOT DISTINCT FROM OLD.claim_at AND NEW.attempt = OLD.attempt)
  EXECUTE FUNCTION plan_claim();

CREATE FUNCTION notify_engine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('engine', TG_ARGV[0] || ':' || coalesce(NEW.id, OLD.id));
  RETURN NULL;
END $$;
CREATE TRIGGER posts_notify_delete AFTER DELETE ON posts FOR EACH ROW
  WHEN (OLD.status = 'PROCESSING') EXECUTE FUNCTION notify_engine('post');

-- Switches ----------------------------------------------------------------------------------------

ALTER TABLE service_settings
  ADD COLUMN suspended_at timestamptz,
  -- Whether a post that waited for it is too late is judged as of this moment.
  ADD COLUMN resumed_at   timestamptz;
UPDATE service_settings SET suspended_at = updated_at WHERE is_service_suspended;

CREATE FUNCTION stamp_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.is_service_suspended THEN
    NEW.suspended_at := clock_timestamp();
  ELSE
    NEW.resumed_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER service_settings_suspension BEFORE UPDATE OF is_service_suspended ON service_settings
  FOR EACH ROW WHEN (OLD.is_service_suspended <> NEW.is_service_suspended)
  EXECUTE FUNCTION stamp_suspension();
CREATE TRIGGER service_settings_notify AFTER UPDATE ON service_settings
  FOR EACH ROW WHEN (OLD.is_service_suspended <> NEW.is_service_suspended)
  EXECUTE FUNCTION notify_engine('settings');

-- What was held for a cause that has ended. An overdue post is then planned for its own time, so that
-- the rules for late posts apply to it.
CREATE FUNCTION release_held_posts(author uuid, causes text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE posts SET
    claim_at = CASE status WHEN 'PENDING' THEN first_claim_at(scheduled_at, embed, reply_to, thread) ELSE now() END, hold = NULL
  WHERE user_id = author AND claim_at = 'infinity' AND hold = ANY (causes)
$$;

CREATE FUNCTION user_may_publish(person users) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT person.is_active AND person.status IN ('ACTIVE', 'RESTRICTED')
$$;
CREATE FUNCTION switch_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF user_may_publish(NEW) THEN
    PERFORM release_held_posts(NEW.id, '{user_off}');
  END IF;
  PERFORM pg_notify('engine', 'user:' || NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER users_switch AFTER UPDATE OF status, is_active ON users FOR EACH ROW
  WHEN (user_may_publish(OLD) <> user_may_publish(NEW)) EXECUTE FUNCTION switch_user();

-- Accounts, journal, hosts, workers ---------------------------------------------------------------

-- The account of a user on the network. On the local network a user has one without a row.
CREATE TABLE accounts (
  user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  host        text NOT NULL CHECK (length(host) <= 300),
  state       text NOT NULL DEFAULT 'CONNECTED'
              CHECK (state IN ('CONNECTED', 'RECONNECT', 'DEACTIVATED', 'TAKEN_DOWN', 'GONE')),
  state_since timestamptz NOT NULL DEFAULT now()
);
CREATE FUNCTION switch_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'CONNECTED' THEN
    PERFORM release_held_posts(NEW.user_id, '{reconnect,account_off}');
  END IF;
  PERFORM pg_notify('engine', 'user:' || NEW.user_id);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_switch AFTER INSERT OR UPDATE ON accounts FOR EACH ROW
  EXECUTE FUNCTION switch_account();

-- The journal: record key and exact record of a post, committed before the first byte is sent and
-- repeated by every later attempt. No foreign key: it outlives a deleted post.
CREATE TABLE deliveries (
  post_id        uuid PRIMARY KEY,
  user_id        uuid NOT NULL,
  did            text NOT NULL,
  host           text NOT NULL,
  -- One write per post of the thread: [{"rkey", "cid", "record"}]. json keeps the text as it is sent.
  writes         json NOT NULL,
  journalled_at  timestamptz NOT NULL DEFAULT now(),
  -- All attempts up to this one are known to have sent nothing.
  unsent_through integer NOT NULL DEFAULT 0,
  sent_at        timestamptz,
  settled_at     timestamptz,
  outcome        text CHECK (outcome IN ('published', 'already', 'altered', 'refused', 'unknown')),
  at_uri         text
) WITH (fillfactor = 80);

-- Attempts that did not publish at once; a post that goes out at the first attempt has none.
CREATE TABLE delivery_attempts (
  post_id     uuid NOT NULL,
  attempt     integer NOT NULL,
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz NOT NULL,
  host        text NOT NULL,
  http_status integer,
  error       text CHECK (length(error) <= 1000),
  cause       text NOT NULL,
  worker      text NOT NULL,
  PRIMARY KEY (post_id, attempt)
);

-- From when the next overdue post of a user may go out; only written while an engine catches up.
CREATE TABLE catch_up (
  user_id uuid PRIMARY KEY,
  next_at timestamptz NOT NULL
);

-- The last state that a worker saw.
CREATE TABLE hosts (
  host          text PRIMARY KEY,
  state         text NOT NULL CHECK (state IN ('OPEN', 'SLOW', 'DOWN', 'LIMITED')),
  state_since   timestamptz NOT NULL DEFAULT now(),
  -- No call before this time, while DOWN or LIMITED.
  retry_at      timestamptz,
  cause         text,
  last_ok_at    timestamptz
);

CREATE TABLE engine_workers (
  id          text PRIMARY KEY,
  egress      text NOT NULL,
  version     text NOT NULL,
  network     text NOT NULL,
  started_at  timestamptz NOT NULL DEFAULT now(),
  seen_at     timestamptz NOT NULL DEFAULT now(),
  is_stopping boolean NOT NULL DEFAULT false,
  claimed     bigint NOT NULL DEFAULT 0,
  published   bigint NOT NULL DEFAULT 0,
  -- Of the last 60 seconds, as the worker measured them.
  last_minute jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50);

-- Limits ------------------------------------------------------------------------------------------

-- Of the best assignment in force (highest tier, then latest) with the overrides of its ticket, else
-- of the free plan. Null without any plan.
CREATE FUNCTION effective_limits(person uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT p.limits || coalesce(t.limits_override, '{}')
     FROM plan_assignments a JOIN plans p ON p.id = a.plan_id LEFT JOIN tickets t ON t.id = a.ticket_id
     WHERE a.user_id = person AND assignment_status(a.status, a.expires_at) = 'ACTIVE'
     ORDER BY array_position(ARRAY['ENTERPRISE', 'PREMIUM', 'BASIC', 'FREE'], p.tier), a.created_at DESC
     LIMIT 1),
    (SELECT limits FROM plans WHERE tier = 'FREE' AND is_active ORDER BY display_order, id LIMIT 1))
$$;
