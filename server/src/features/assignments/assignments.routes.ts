import { assignmentList, assignmentRevoke } from '@meridian/contract/assignments';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function assignmentsRoutes(app: FastifyInstance, { assignments }: Context): void {
  register(app, assignmentList, async ({ params }) => ({
    assignments: await assignments.listOfUser(params.id),
  }));

  register(app, assignmentRevoke, async ({ actor, params }) => ({
    assignment: await assignments.revoke(actor, params.id, params.assignmentId),
  }));
}
