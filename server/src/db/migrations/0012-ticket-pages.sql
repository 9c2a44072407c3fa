-- Pages of the ticket list, and how many tickets there are of each status.

-- Status and deadline say what a ticket counts as, and a page may have to pass over many of another
-- status: with both in the index that needs no look at the rows themselves.
CREATE INDEX tickets_listed ON tickets (issued_at, id) INCLUDE (status, redemption_deadline);
-- The first two columns of the other.
DROP INDEX tickets_issued;

-- For the search. Plans and issuers are few and found without an index.
CREATE INDEX tickets_code_part ON tickets USING gin (lower(code) gin_trgm_ops);
CREATE INDEX tickets_memo_part ON tickets USING gin (lower(memo) gin_trgm_ops);
