import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { atMost } from './length.ts';

export const FIND_RESULTS_MAX = 10;
/** As long as an AT URI can be. */
export const FIND_TEXT_MAX_LENGTH = 2600;
/** The index of names finds nothing by fewer letters. */
export const FIND_PART_MIN_LENGTH = 3;

export const FIND_KINDS = ['user', 'post', 'ticket', 'plan'] as const;

const findResult = z.object({
  kind: z.enum(FIND_KINDS),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
});
export type FindResult = z.output<typeof findResult>;

export const findGet = endpoint({
  name: 'findGet',
  method: 'GET',
  path: '/api/admin/find',
  right: null,
  summary:
    'Objects by a handle, DID, AT URI, profile or post address, id or ticket code, then users by a part of their names',
  query: z.strictObject({
    q: z
      .string({ error: 'q is required' })
      .check(
        z.trim(),
        atMost(FIND_TEXT_MAX_LENGTH, `q must be at most ${FIND_TEXT_MAX_LENGTH} characters`),
      )
      .register(z.globalRegistry, { maxLength: FIND_TEXT_MAX_LENGTH }),
  }),
  answer: z.object({ results: z.array(findResult) }),
});
