-- The search for users looks into display names too; handles and DIDs have their index already.
CREATE INDEX users_display_name_part ON users USING gin (lower(display_name) gin_trgm_ops);
