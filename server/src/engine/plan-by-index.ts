/**
 * Every statement of the engine touches a few hundred rows by their keys. Planned while tables are
 * small, the planner would read them whole, and keep that plan while they grow.
 */
export const PLAN_BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};
