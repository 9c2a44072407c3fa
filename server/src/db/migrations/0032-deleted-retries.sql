-- Deleting a retry does not make its post retryable when it would then be public twice.

-- The post that was retried gets the address of a published retry, as when a retry finds it on the network;
-- a retry of the deleted one becomes its own.
CREATE FUNCTION keep_retried() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE posts SET retry_of = OLD.retry_of WHERE retry_of = OLD.id;
  UPDATE posts SET at_uri = OLD.at_uri, at_rkey = OLD.at_rkey, version = version + 1
  WHERE id = OLD.retry_of AND (status = 'FAILED') IS TRUE AND at_uri IS NULL AND OLD.at_uri IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER posts_retry_delete AFTER DELETE ON posts FOR EACH ROW WHEN (OLD.retry_of IS NOT NULL)
  EXECUTE FUNCTION keep_retried();
