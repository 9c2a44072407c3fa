-- A month later is another moment in each time zone, and a session has the one of its client or server:
-- after the first of March in UTC, New York's month ended on the 28th. Posts are counted by months of UTC.
ALTER FUNCTION posts_in_month SET timezone = 'UTC';
ALTER FUNCTION passed_limit SET timezone = 'UTC';
ALTER FUNCTION meridian_api.limits_in_force SET timezone = 'UTC';
