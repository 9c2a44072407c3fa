import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, perLanguage, timestamp } from './fields.ts';
import { planLimits } from './plan-limits.ts';

export const ASSIGNMENT_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type AssignmentStatus = (typeof ASSIGNMENT_STATUSES)[number];

export const ASSIGNMENT_MESSAGES = {
  notFound: 'Assignment not found',
  revokeFailed: 'Failed to revoke plan assignment',
  confirmRevokeTitle: 'Revoke Plan Assignment',
  confirmRevokeForUser: (name: string) =>
    `Are you sure you want to revoke the plan assignment for ${name}?`,
  confirmRevokeOfPlan: (plan: string) =>
    `Are you sure you want to revoke the ${plan} plan assignment? This action cannot be undone.`,
} as const;

export const assignmentCan = {
  revoke: (assignment: { status: string }) => assignment.status === 'ACTIVE',
};

/** A ticket or an assignment shows this of its plan. */
export const planSummary = z.object({
  id,
  name: z.string(),
  displayName: perLanguage(z.string()),
  tier: z.string(),
  limits: planLimits,
});
export type PlanSummary = z.output<typeof planSummary>;

export const assignment = z.object({
  id,
  status: z.string(),
  activatedAt: timestamp,
  expiresAt: z.nullable(timestamp),
  createdAt: timestamp,
  ticket: z.nullable(z.object({ id, code: z.string() })),
  limitsOverride: z.nullable(planLimits),
  user: z.object({
    id,
    displayName: z.nullable(z.string()),
    handle: z.string(),
    did: z.string(),
  }),
  plan: planSummary,
});
export type Assignment = z.output<typeof assignment>;

export const assignmentList = endpoint({
  name: 'assignmentList',
  method: 'GET',
  path: '/api/admin/users/{id}/plan-assignments',
  right: 'users:read',
  summary: 'The plan assignments of one user, newest first',
  answer: z.object({ assignments: z.array(assignment) }),
});

export const assignmentRevoke = endpoint({
  name: 'assignmentRevoke',
  method: 'POST',
  path: '/api/admin/users/{id}/plan-assignments/{assignmentId}/revoke',
  right: 'users:write',
  summary: 'Revoke an active assignment, for good',
  answer: z.object({ assignment }),
});
