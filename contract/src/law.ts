import * as z from 'zod/mini';
import { CURRENCY_DEFAULTS } from './currencies.ts';
import { PLAN_DEFAULT_CURRENCY } from './plans.ts';
import { TICKET_DEFAULTS } from './tickets.ts';

/*
 * The responses of any service that has the specified calls, as loosely as the specification allows: resources without
 * their envelope, ids that are numbers, flags and numbers written as text, fields left out, unknown words and fields.
 */

type Schema = z.ZodMiniType;
type Row = Record<string, unknown>;
type Fallback = string | number | boolean | object | null;

const inside = new WeakMap<Schema, { schema: Schema; isMissed: boolean }>();

// The inferred result needs the parameter.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function field<S extends Schema>(schema: S, fallback: Fallback, isMissed: boolean) {
  const made = z.pipe(
    z.transform((value: unknown) => value ?? undefined),
    // The fallback goes through the schema, so a wrong one is refused there.
    z.prefault(schema, fallback as z.input<S>),
  );
  inside.set(made, { schema, isMissed });
  return made;
}

/** A field that is missed when it is left out: `fallback` is the specification's default, null or empty. */
const filled = <S extends Schema>(schema: S, fallback: Fallback): ReturnType<typeof field<S>> =>
  field(schema, fallback, true);

const optional = <S extends Schema>(schema: S) => field(z.nullable(schema), null, false);

function readAs<T extends string | number | boolean>(
  expected: string,
  read: (value: unknown) => T | undefined,
) {
  return z.pipe(
    z.unknown().check(z.refine((value) => read(value) !== undefined, { error: expected })),
    // The check before has left only what can be read.
    z.transform((value) => read(value) as T),
  );
}

const id = readAs('an id', (value) => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
});
const text = readAs('a text', (value) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined,
);
const time = readAs('an ISO 8601 time', (value) =>
  typeof value === 'string' && (value === '' || !Number.isNaN(Date.parse(value)))
    ? value
    : undefined,
);
function numberIn(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : undefined;
}
const number = readAs('a number', numberIn);
const flag = readAs('true or false', (value) => {
  if (value === true || value === 1 || value === 'true') return true;
  return value === false || value === 0 || value === 'false' ? false : undefined;
});

const perLanguage = <S extends Schema>(value: S) =>
  z.pipe(
    z.transform((raw: unknown) =>
      typeof raw === 'string' || Array.isArray(raw) ? { en: raw } : raw,
    ),
    z.record(z.string(), value),
  );
const limitValue = z.nullable(
  readAs('a number, true or false', (value) =>
    typeof value === 'boolean' ? value : numberIn(value),
  ),
);

const ALIASES: Readonly<Record<string, string>> = {
  video_upload: 'video_upload_enabled',
  video_processing_minutes_monthly: 'video_processing_minutes_per_month',
};
const limits = z.pipe(
  z.record(z.string(), limitValue),
  z.transform((named) =>
    Object.fromEntries(
      Object.entries(named).map(([name, value]) => [ALIASES[name] ?? name, value]),
    ),
  ),
);
const prices = z.nullable(z.record(z.string(), number));
const nullableText = filled(z.nullable(text), null);
const someText = filled(text, '');
const someTime = filled(time, '');

/** EXECUTING is the filter's word for PROCESSING. Unknown words are kept. */
const postStatus = z.pipe(
  text,
  z.transform((word) => (word === 'EXECUTING' ? 'PROCESSING' : word)),
);

const admin = z.object({ username: text, displayName: nullableText });

const settings = z.object({
  is_closed_beta: flag,
  is_service_suspended: flag,
  updated_at: someTime,
});

const userCounts = z.object({ total: number, activeUsers: number });
const stats = z.object({
  users: z.extend(userCounts, { byStatus: z.array(z.object({ status: text, count: number })) }),
  posts: z.object({
    total: number,
    byStatus: z.array(z.object({ status: postStatus, count: number })),
  }),
});

const person = {
  id,
  did: someText,
  handle: someText,
  display_name: nullableText,
  avatar: nullableText,
};
const listedUser = z.object({
  ...person,
  status: text,
  is_active: filled(flag, true),
  has_access_keyword_access: filled(flag, false),
  upgrade_prohibited: filled(flag, false),
  created_at: someTime,
  updated_at: someTime,
});
/** The page of a user offers actions by its flag, so that may not be left out. */
const user = z.extend(listedUser, { is_active: flag });

const listedPost = z.object({
  id,
  user_id: id,
  content: someText,
  status: postStatus,
  scheduled_at: someTime,
  created_at: someTime,
  updated_at: someTime,
  executed_at: filled(z.nullable(time), null),
  at_uri: nullableText,
  at_rkey: nullableText,
  error_msg: nullableText,
  languages: optional(z.array(text)),
  user: optional(z.object(person)),
});
const post = z.extend(listedPost, {
  facets: filled(z.nullable(z.unknown()), null),
  embed: filled(z.nullable(z.unknown()), null),
  languages: filled(z.array(text), []),
});

const planName = { name: someText, displayName: filled(perLanguage(text), {}), tier: someText };
const plan = z.object({
  id,
  ...planName,
  description: filled(perLanguage(text), {}),
  priceMonthly: filled(prices, null),
  priceYearly: filled(prices, null),
  currency: filled(text, PLAN_DEFAULT_CURRENCY),
  limits: filled(limits, {}),
  features: filled(perLanguage(z.array(text)), {}),
  displayOrder: filled(number, 0),
  isActive: flag,
  isVisible: flag,
});

const currency = z.object({
  id,
  code: text,
  name: someText,
  symbol: someText,
  useDecimals: filled(flag, CURRENCY_DEFAULTS.useDecimals),
  decimalPlaces: filled(number, CURRENCY_DEFAULTS.decimalPlaces),
  displayOrder: filled(number, CURRENCY_DEFAULTS.displayOrder),
  isActive: filled(flag, CURRENCY_DEFAULTS.isActive),
});

const grantedPlan = z.object({ id: optional(id), ...planName, limits: filled(limits, {}) });
const ticket = z.object({
  id,
  code: text,
  status: text,
  planId: someText,
  plan: filled(z.object({ id: optional(id), ...planName, limits: optional(limits) }), {}),
  issuer: filled(z.object({ displayName: nullableText, handle: someText }), {}),
  validDays: filled(number, TICKET_DEFAULTS.validDays),
  maxRedemptions: filled(z.nullable(number), null),
  redemptionCount: filled(number, 0),
  issuedAt: someTime,
  redemptionDeadline: optional(time),
  updatedAt: someTime,
  memo: optional(text),
  limitsOverride: optional(limits),
});

const holder = z.object({ id, displayName: nullableText, handle: someText, did: someText });
const assignment = z.object({
  id,
  status: text,
  activatedAt: someTime,
  expiresAt: filled(z.nullable(time), null),
  createdAt: someTime,
  ticket: optional(z.object({ id: optional(id), code: text })),
  limitsOverride: optional(limits),
  user: optional(holder),
  plan: filled(grantedPlan, {}),
});

type Shape = z.ZodMiniObject;
type LawCall<S extends Shape = Shape> = {
  /** This one resource may come without its envelope. */
  resource?: string;
  shape: S;
};
const call = <S extends Shape>(shape: S, resource?: string): LawCall<S> => ({
  shape,
  ...(resource !== undefined && { resource }),
});

/** By the name of the endpoint. Of calls that are not here, success is enough. */
export const LAW = {
  authLogin: call(z.object({ token: text.check(z.minLength(1)) })),
  authMe: call(admin),
  settingsGet: call(settings),
  settingsUpdate: call(settings),
  statsGet: call(stats),
  userList: call(z.object({ users: z.array(listedUser), total: number })),
  userGet: call(z.object({ user }), 'user'),
  userPosts: call(z.object({ posts: z.array(listedPost) })),
  assignmentList: call(z.object({ assignments: z.array(assignment) })),
  userRestrict: call(z.object({ upgradeProhibited: flag })),
  postList: call(z.object({ posts: z.array(listedPost), total: number })),
  postGet: call(z.object({ post }), 'post'),
  ticketIssue: call(z.object({ ticket: z.object({ id, code: text }) }), 'ticket'),
  ticketList: call(z.object({ tickets: z.array(ticket) })),
  ticketGet: call(
    z.object({ ticket, assignments: filled(z.array(z.extend(assignment, { user: holder })), []) }),
    'ticket',
  ),
  planList: call(z.object({ plans: z.array(plan) })),
  planGet: call(z.object({ plan }), 'plan'),
  planPublish: call(z.object({ publishedCount: number, individualUrls: z.array(text) })),
  currencyList: call(z.object({ currencies: z.array(currency) })),
  currencyGet: call(z.object({ currency }), 'currency'),
  currencyCreate: call(z.object({ currency }), 'currency'),
  currencyUpdate: call(z.object({ currency }), 'currency'),
};
export type LawName = keyof typeof LAW;
export type LawOf<Name extends LawName> = z.output<(typeof LAW)[Name]['shape']>;

export const isLawName = (name: string): name is LawName => Object.hasOwn(LAW, name);

export type Problem = { field: string; expected: string; found: string };
export type LawReading<Data> = {
  data: Data | null;
  problems: Problem[];
  /** Fields that a fallback stands in for, such as `users.avatar`. */
  leftOut: string[];
};

export function readByLaw<Name extends LawName>(name: Name, raw: unknown): LawReading<LawOf<Name>> {
  // The compiler does not follow the name through an index.
  const { shape, resource } = LAW[name] as LawCall<(typeof LAW)[Name]['shape']>;
  const opened = open(raw, Object.keys(shape.shape), resource);
  const result = z.safeParse(shape, opened);
  const leftOut = [...new Set(leftOutIn(shape, opened, ''))];
  if (result.success) return { data: result.data as LawOf<Name>, problems: [], leftOut };
  const problems = result.error.issues.map((issue) => problemOf(issue, opened));
  return { data: null, problems, leftOut };
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Puts a bare resource into its envelope, and takes any other response out of one. */
function open(raw: unknown, names: readonly string[], resource: string | undefined): unknown {
  if (!isRow(raw)) return raw;
  if (resource !== undefined) {
    return !isRow(raw[resource]) && 'id' in raw ? { ...raw, [resource]: raw } : raw;
  }
  const [only, ...others] = Object.values(raw);
  const hasName = (row: Row) => names.some((name) => name in row);
  return others.length === 0 && isRow(only) && !hasName(raw) && hasName(only) ? only : raw;
}

type Definition = {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
};

function leftOutIn(schema: Schema, raw: unknown, path: string): string[] {
  const known = inside.get(schema);
  const def: Definition = (known?.schema ?? schema).def;
  const isLeftOut = raw === undefined || (raw === null && def.type !== 'nullable');
  if (known?.isMissed === true && isLeftOut) return [path];
  if (raw === undefined || raw === null) return [];
  if (def.innerType !== undefined) return leftOutIn(def.innerType, raw, path);
  if (def.element !== undefined && Array.isArray(raw)) {
    const { element } = def;
    return raw.flatMap((item) => leftOutIn(element, item, path));
  }
  if (def.shape === undefined || !isRow(raw)) return [];
  return Object.entries(def.shape).flatMap(([name, part]) =>
    leftOutIn(part, raw[name], path === '' ? name : `${path}.${name}`),
  );
}

function problemOf({ path, message, ...issue }: z.core.$ZodIssue, raw: unknown): Problem {
  let found = raw;
  let field = '';
  for (const key of path) {
    found = isRow(found) || Array.isArray(found) ? Reflect.get(found, key) : undefined;
    field += typeof key === 'number' ? `[${key}]` : `${field === '' ? '' : '.'}${String(key)}`;
  }
  const expected = 'expected' in issue ? EXPECTED[issue.expected] : undefined;
  return { field, expected: expected ?? message, found: kindOf(found) };
}

const EXPECTED: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  record: 'an object',
};

/** The kind of a value in words; the value itself is never told. */
function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? 'a number' : 'an object';
}
