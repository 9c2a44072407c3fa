import { resumePreview, serviceResume, suspensionUpdate } from '@meridian/contract/incident';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { expectedBy } from '../../http/entity-version.ts';
import { register } from '../../http/register.ts';

export function incidentRoutes(app: FastifyInstance, { incident }: Context): void {
  register(app, suspensionUpdate, async ({ actor, body, request }) => ({
    suspension: await incident.update(actor, body, expectedBy(request)),
  }));

  register(app, resumePreview, () => incident.preview());

  register(app, serviceResume, async ({ actor, body }) => ({
    plan: await incident.resume(actor, body),
  }));
}
