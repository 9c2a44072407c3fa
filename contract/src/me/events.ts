import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

/** The one topic: something of what the person sees. The page reads what it shows again. */
export const ME_TOPIC = 'me';

export const meEvents = endpoint({
  name: 'meEvents',
  method: 'GET',
  path: '/api/me/events',
  right: null,
  summary: 'Server-sent events: that something of what the person sees has changed',
  credential: 'cookie',
  media: 'events',
  /** The data of an event named `changed`: no topic, or the one. */
  answer: z.object({ topics: z.array(z.string()) }),
});
