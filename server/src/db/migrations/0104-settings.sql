-- Service-wide switches, a suspension, and the plan of the last resume: exactly one row.
CREATE TABLE service_settings (
  id                   integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  is_closed_beta       boolean NOT NULL DEFAULT false,
  is_service_suspended boolean NOT NULL DEFAULT false,
  updated_at           timestamptz NOT NULL DEFAULT now(),
  version              integer NOT NULL DEFAULT 1,
  suspended_at         timestamptz,
  -- Whether a post that waited for it is too late is judged as of this moment.
  resumed_at           timestamptz,
  -- Users who were there before closed beta was turned on are unaffected by it.
  closed_beta_at       timestamptz,
  suspended_by         text CHECK (length(suspended_by) <= 64),
  suspension_reason    text CHECK (length(suspension_reason) <= 500),
  expected_end_at      timestamptz,
  -- For users; the reason is for administrators.
  notice               text CHECK (length(notice) <= 300),
  -- The plan of the last resume is for posts that were due by this moment. Null: no plan.
  resume_as_of         timestamptz,
  -- Posts scheduled in these times are marked as too late; the others are published,
  resume_too_late      tstzmultirange,
  -- one after the other at this distance.
  resume_pace          interval,
  -- By then all are; what another hold releases later is judged by the late limit again.
  resume_ends_at       timestamptz
);
INSERT INTO service_settings DEFAULT VALUES;
