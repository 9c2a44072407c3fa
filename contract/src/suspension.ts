import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { choice, count, instant, integer, keysOf, line, timestamp } from './fields.ts';
import { suspension } from './engine.ts';

export const NOTICE_MAX_LENGTH = 300;
/** Posts a minute: more would promise more than the engine publishes. */
export const PACE_MAX = 1_000;
export const PACE_DEFAULT = 20;

export const SUSPENSION_MESSAGES = {
  endPassed: 'Expected end must be in the future',
  previewFailed: 'Failed to load the posts that wait',
  wrongToken: 'The posts that wait are not counted yet, or the count has expired',
  tooLate: 'Not published in time: marked as too late when the service was resumed',
} as const;

/** Posts by their lateness in minutes when the service is resumed. */
export const RESUME_BANDS = {
  upTo15Minutes: { from: 0, to: 15 },
  upTo1Hour: { from: 15, to: 60 },
  upTo6Hours: { from: 60, to: 360 },
  upTo24Hours: { from: 360, to: 1_440 },
  older: { from: 1_440, to: null },
} as const;
export type ResumeBand = keyof typeof RESUME_BANDS;
export const RESUME_BAND_NAMES = keysOf(RESUME_BANDS);

export const suspensionUpdate = endpoint({
  name: 'suspensionUpdate',
  method: 'PUT',
  path: '/api/admin/suspension',
  right: 'settings:write',
  summary: 'Suspend the service with its details, or change the details while it is suspended',
  body: z.strictObject({
    expectedEndAt: z.nullable(instant('Expected end')),
    noticeForPeople: z.nullable(line('The notice', NOTICE_MAX_LENGTH)),
  }),
  answer: z.object({ suspension }),
});

const resumeState = z.object({
  token: z.string(),
  asOf: timestamp,
  lateLimitMinutes: count,
  bands: z.array(z.object({ band: z.enum(RESUME_BAND_NAMES), count })),
  held: count,
});
export type ResumeState = z.output<typeof resumeState>;

export const resumePreview = endpoint({
  name: 'resumePreview',
  method: 'GET',
  path: '/api/admin/resume',
  right: 'settings:read',
  summary: 'The posts that wait for the end of the suspension, by how late they are',
  answer: resumeState,
});

const plan = z.object({ publish: count, tooLate: count, perMinute: count });

export const serviceResume = endpoint({
  name: 'serviceResume',
  method: 'POST',
  path: '/api/admin/resume',
  right: 'settings:write',
  summary: 'Resume the service, and publish or give up the posts that waited as planned',
  body: z.strictObject({
    token: z.string({ error: SUSPENSION_MESSAGES.wrongToken }).check(z.maxLength(100)),
    tooLate: z
      .array(choice('tooLate', RESUME_BAND_NAMES))
      .check(z.maxLength(RESUME_BAND_NAMES.length, { error: 'tooLate has too many bands' })),
    perMinute: integer('Posts a minute', 1, PACE_MAX),
  }),
  answer: z.object({ plan }),
});

/** The posts that a resume plan publishes and gives up, and the wait of the last one. */
export function outcomeOf(
  bands: ResumeState['bands'],
  tooLate: readonly ResumeBand[],
  perMinute: number,
) {
  const sum = (isGivenUp: boolean) =>
    bands
      .filter(({ band }) => tooLate.includes(band) === isGivenUp)
      .reduce((total, row) => total + row.count, 0);
  const publish = sum(false);
  return { publish, tooLate: sum(true), minutes: Math.max(0, publish - 1) / perMinute };
}
