import * as z from 'zod/mini';
import { timestamp } from './fields.ts';
import { publishedPlan } from './plans.ts';

/** Fields may be added within a version; readers ignore unknown ones. */
export const PUBLISHED_FORMAT_VERSION = 1;

const revision = {
  formatVersion: z.literal(PUBLISHED_FORMAT_VERSION),
  revision: z.uuid(),
  publishedAt: timestamp,
};

/** `plans/{revision}/{planId}.json`: written once, never changed. */
export const publishedPlanFile = z.extend(publishedPlan, revision);

/** `plans/index.json`: the one file that is replaced, and so decides which revision is public. */
export const publishedPlanIndex = z.object({
  ...revision,
  plans: z.array(z.extend(publishedPlan, { url: z.string() })),
});
export type PublishedPlanFile = z.output<typeof publishedPlanFile>;
export type PublishedPlanIndex = z.output<typeof publishedPlanIndex>;
