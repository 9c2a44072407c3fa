import * as z from 'zod/mini';

/** PostgreSQL's largest int4: the ceiling of every count that has no tighter one. */
export const INT_MAX = 2_147_483_647;
/** For count-type limits. */
export const UNLIMITED = -1;

export function integer(label: string, min: number, max: number = INT_MAX) {
  const isOpen = max === INT_MAX;
  const error = isOpen
    ? `${label} must be a whole number of at least ${min}`
    : `${label} must be a whole number from ${min} to ${max}`;
  const tooLarge = isOpen ? `${label} must be at most ${max}` : error;
  // Past what a number can count exactly it is too large as well, not a wrong kind of number.
  const ofKind = ({ code, input }: { code?: string; input?: unknown }) =>
    code === 'too_big' && Number(input) > 0 ? tooLarge : error;
  return z.int({ error: ofKind }).check(z.gte(min, { error }), z.lte(max, { error: tooLarge }));
}

export function flag(label: string) {
  return z.boolean({ error: `${label} must be true or false` });
}

/** Of a patch: it changes something. To be registered as `SOME_FIELD`, for the documentation. */
export function someField(error: string) {
  return z.refine<object>((body) => Object.values(body).some((value) => value !== undefined), {
    error,
  });
}
export const SOME_FIELD = { minProperties: 1 } as const;

/** One of a few words or numbers. */
export function choice<const T extends readonly string[]>(label: string, values: T) {
  return z.enum(values, { error: `${label} must be one of ${values.join(', ')}` });
}

export function numberChoice<const T extends readonly number[]>(label: string, values: T) {
  return z.literal([...values] as T[number][], {
    // The spread drops the tuple type, which the caller's exact union needs back.
    error: `${label} must be one of ${values.join(', ')}`,
  });
}

/** RFC 3339 with a zone, a year from 2000 to 2099 as written and in UTC; passed on as UTC with milliseconds. */
export function instant(label: string) {
  const error = `${label} must be a date and time with a zone, between 2000 and 2100`;
  const year = z.regex(/^20/u, { error: `${label} must be between 2000 and 2100` });
  return z.pipe(
    z.iso
      .datetime({ offset: true, error, abort: true })
      .check(year)
      .register(z.globalRegistry, { format: 'date-time' }),
    z.pipe(
      z.transform((value: string) => new Date(value).toISOString()),
      z.string().check(year),
    ),
  );
}

/** A whole number in a query string, documented as the integer it means. */
export function queryInteger(label: string, min: number, max: number) {
  const error = `${label} must be a whole number from ${min} to ${max}`;
  return z
    .pipe(
      z.string({ error }).check(z.regex(/^\d{1,10}$/u, { error })),
      z.pipe(
        z.transform(Number),
        z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error })),
      ),
    )
    .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max });
}

/** `true` or `false` in a query string. */
export function queryFlag(label: string) {
  return z
    .pipe(
      z.string().check(
        z.refine((value) => value === 'true' || value === 'false', {
          error: `${label} must be true or false`,
        }),
      ),
      z.transform((value) => value === 'true'),
    )
    .register(z.globalRegistry, { type: 'boolean' });
}

export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;
export const OFFSET_MAX = 1_000_000_000;
export const CURSOR_MAX_LENGTH = 500;

/**
 * From `cursors` of another page: the page begins beside a row of that one, whatever was added or
 * removed meanwhile. One that does not fit the list is ignored; the page then begins at `offset`.
 */
export const cursor = z.optional(
  z.string().check(z.maxLength(CURSOR_MAX_LENGTH, { error: 'cursor is too long' })),
);

export const paging = {
  limit: z._default(queryInteger('limit', 1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  offset: z._default(queryInteger('offset', 0, OFFSET_MAX), 0),
  cursor,
};

/** The places where the neighbouring pages begin, null where there is none. */
export const cursors = z.object({
  next: z.nullable(z.string()),
  previous: z.nullable(z.string()),
});
export type Cursors = z.output<typeof cursors>;

/** ISO 8601 UTC with milliseconds, as every response carries it. */
export const timestamp = z.string().register(z.globalRegistry, { format: 'date-time' });
/** A UUIDv7. */
export const id = z.string().register(z.globalRegistry, { format: 'uuid' });
export const count = z.int();
