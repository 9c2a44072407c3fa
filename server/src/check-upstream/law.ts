import { ASSIGNMENT_STATUSES } from '@meridian/contract/assignments';
import { authLogin } from '@meridian/contract/auth';
import { currencyCreate, currencyUpdate } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { PLAN_TIERS, planPublish } from '@meridian/contract/plans';
import { POST_STATUS_FILTERS, POST_STATUSES } from '@meridian/contract/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { TICKET_STATUSES, ticketIssue } from '@meridian/contract/tickets';
import { USER_STATUSES, userRestrict } from '@meridian/contract/users';

/*
 * The contract describes what Meridian's own server sends. These are the differences to what the
 * specification asks of any server. Fields are written `endpoint.field.field`, without indexes.
 */

/** Fields beyond the specification: never missed, but of the right type when they are there. */
const EXTRA_FIELDS = [
  /\.(version|cursors|features|eventId|isPaid|totalIsCapped)$/,
  /\.posts\.languages$/,
  /\.post\.(hold|cause|reply_to|thread|retry_of|retried_as)$/,
  /\.(plans?|currency|currencies)\.(createdAt|updatedAt)$/,
  /\.(assignments?\.(plan|ticket)|tickets?\.plan)\.id$/,
  /^authLogin\.admin$/,
  /^userPosts\.total$/,
  /^ticketList\.(total|counts)$/,
];

/** Fields that the specification calls optional. */
const OPTIONAL_FIELDS = /\.(redemptionDeadline|memo|limitsOverride|assignments?\.ticket)$/;

/** Null has a meaning here (no end, no maximum, free), so a field left out would be read as that. */
const TELLING_NULLS = /\.(expiresAt|maxRedemptions|priceMonthly|priceYearly)$/;

export function isDemanded(field: string): boolean {
  return !OPTIONAL_FIELDS.test(field) && !EXTRA_FIELDS.some((extra) => extra.test(field));
}

export function mayStandForNull(field: string): boolean {
  return !TELLING_NULLS.test(field);
}

const WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.users?\.status$/, USER_STATUSES],
  [/\.posts?\.status$/, [...POST_STATUSES, ...POST_STATUS_FILTERS]],
  [/\.tickets?\.status$/, TICKET_STATUSES],
  [/\.assignments\.status$/, ASSIGNMENT_STATUSES],
  [/\.plans?\.tier$/, PLAN_TIERS],
];

/** The words that the specification has for a field; null where it may hold any text. */
export function wordsOf(field: string): readonly string[] | null {
  return WORDS.find(([pattern]) => pattern.test(field))?.[1] ?? null;
}

/** Changes whose response the specification names; of the others it is enough that they succeed. */
const TELLING_CHANGES = new Set<Endpoint>([
  authLogin,
  settingsUpdate,
  userRestrict,
  ticketIssue,
  planPublish,
  currencyCreate,
  currencyUpdate,
]);

export function isResponseNamed(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' || TELLING_CHANGES.has(endpoint);
}
