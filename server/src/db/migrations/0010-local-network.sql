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
