import { meLinkCard } from '@meridian/contract/me/posts';
import type { FastifyInstance } from 'fastify';
import { registerMember } from '../../http/register.ts';
import { LINK_CARD_TIMEOUT_MS } from './link-card.service.ts';
import type { createLinkCards } from './link-card.service.ts';

/** The fetch has its own limit, and after it a moment to say so. */
const TIMEOUT_MS = LINK_CARD_TIMEOUT_MS + 5_000;

export function linkCardRoutes(
  app: FastifyInstance,
  cards: ReturnType<typeof createLinkCards>,
): void {
  registerMember(
    app,
    meLinkCard,
    async ({ member, body, reply }) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      return { card: await cards.read(member.userId, body.uri, gone.signal) };
    },
    { timeoutMs: TIMEOUT_MS },
  );
}
