-- pg_dump empties the search path while it restores. Functions that a CHECK calls and that call
-- others of ours by name must bring their own, or no backup could be restored.
ALTER FUNCTION are_plan_limits(jsonb) SET search_path FROM CURRENT;
ALTER FUNCTION is_limits_override(jsonb) SET search_path FROM CURRENT;
