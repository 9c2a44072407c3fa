-- The engine publishes due posts: docs/engine.md explains it. It claims rows of posts itself, so that
-- no queue beside the table has to be kept in step with it.

-- The account of a user on the network. On the local network a user has one without a row.
CREATE TABLE accounts (
  user_id     uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  host        text NOT NULL CHECK (length(host) <= 300),
  state       text NOT NULL DEFAULT 'CONNECTED'
              CHECK (state IN ('CONNECTED', 'RECONNECT', 'DEACTIVATED', 'TAKEN_DOWN', 'GONE')),
  state_since timestamptz NOT NULL DEFAULT now()
);

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
  at_uri         text,
  -- When the engine asks the host whether a post that was deleted while a worker had it is public.
  look_at        timestamptz,
  deleted_at     timestamptz
) WITH (fillfactor = 80);
CREATE INDEX deliveries_look ON deliveries (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX deliveries_deleted ON deliveries (user_id) WHERE deleted_at IS NOT NULL;

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
  host        text PRIMARY KEY,
  state       text NOT NULL CHECK (state IN ('OPEN', 'SLOW', 'DOWN', 'LIMITED')),
  state_since timestamptz NOT NULL DEFAULT now(),
  -- No call before this time, while DOWN or LIMITED.
  retry_at    timestamptz,
  cause       text,
  last_ok_at  timestamptz
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

-- The database that the engine worked with last. A restore or a failover makes it another one: what was sent
-- since the copy was taken is forgotten then, so hosts are asked about what was due before. The first
-- heartbeat writes it.
CREATE TABLE engine_database (
  is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  identity    text NOT NULL,
  -- When the engine first found another identity than it had written down.
  restored_at timestamptz
);
INSERT INTO engine_database (identity)
SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), 'engine_database'::regclass::oid);

-- The local network stores here what a host of the AT Protocol would: docs/local-network.md. No
-- foreign keys: what is public stays public when a user or a post is deleted in the console.
CREATE TABLE local_records (
  did        text NOT NULL CHECK (length(did) <= 2048),
  collection text NOT NULL CHECK (length(collection) <= 317),
  rkey       text NOT NULL CHECK (length(rkey) <= 512),
  cid        text NOT NULL,
  -- json keeps the text as it was received.
  record     json NOT NULL,
  indexed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (did, collection, rkey)
);
CREATE INDEX local_records_newest ON local_records (indexed_at);

CREATE TABLE local_blobs (
  did           text NOT NULL CHECK (length(did) <= 2048),
  cid           text NOT NULL,
  mime_type     text NOT NULL CHECK (length(mime_type) <= 200),
  bytes         bytea NOT NULL,
  -- Not served before a record refers to it.
  is_referenced boolean NOT NULL DEFAULT false,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (did, cid)
);
