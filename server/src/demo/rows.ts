import type { PostStatus } from '@meridian/contract/posts';
import type { PlanTier } from '@meridian/contract/plans';
import type { TicketStatus } from '@meridian/contract/tickets';
import type { UserStatus } from '@meridian/contract/users';
import type { AssignmentStatus } from '@meridian/contract/assignments';

/** Rows as they are copied into the tables: instants are ISO 8601 text, `Json` becomes jsonb. */
export class Json {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}
export type Cell = string | number | boolean | null | readonly string[] | Json;

export type UserRow = {
  id: string;
  did: string;
  handle: string;
  display_name: string | null;
  avatar: string | null;
  status: UserStatus;
  is_active: boolean;
  has_access_keyword_access: boolean;
  upgrade_prohibited: boolean;
  created_at: string;
  updated_at: string;
};

export type PostRow = {
  id: string;
  user_id: string;
  content: string;
  facets: Json | null;
  embed: Json | null;
  languages: readonly string[];
  status: PostStatus;
  scheduled_at: string;
  created_at: string;
  updated_at: string;
  executed_at: string | null;
  at_uri: string | null;
  at_rkey: string | null;
  error_msg: string | null;
};

export type CurrencyRow = {
  id: string;
  code: string;
  name: string;
  symbol: string;
  use_decimals: boolean;
  decimal_places: number;
  display_order: number;
  is_active: boolean;
  created_at: string;
  updated_at: string;
};

export type PlanRow = {
  id: string;
  tier: PlanTier;
  name: string;
  display_name: Json;
  description: Json;
  currency: string;
  limits: Json;
  features: Json;
  display_order: number;
  is_active: boolean;
  is_visible: boolean;
  created_at: string;
  updated_at: string;
};

export type PlanPriceRow = {
  plan_id: string;
  period: 'monthly' | 'yearly';
  currency_code: string;
  amount: string;
};

export type TicketRow = {
  id: string;
  code: string;
  status: TicketStatus;
  plan_id: string;
  issuer_id: string;
  valid_days: number;
  max_redemptions: number | null;
  redemption_count: number;
  issued_at: string;
  redemption_deadline: string | null;
  updated_at: string;
  memo: string | null;
  limits_override: Json | null;
};

export type AssignmentRow = {
  id: string;
  user_id: string;
  plan_id: string;
  ticket_id: string | null;
  status: AssignmentStatus;
  activated_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  created_at: string;
};
