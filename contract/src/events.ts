import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** An event names topics, never rows: the console reads what it shows again. */
export const EVENT_TOPICS = [
  'posts',
  'users',
  'tickets',
  'plans',
  'currencies',
  'settings',
  'engine',
  'jobs',
  'audit',
] as const;
export type EventTopic = (typeof EVENT_TOPICS)[number];

export const EVENT_HEARTBEAT_SECONDS = 15;

export const eventStream = endpoint({
  name: 'eventStream',
  method: 'GET',
  path: '/api/admin/events',
  right: null,
  summary: 'Server-sent events: which topics have changed, since Last-Event-ID when it is sent',
  media: 'events',
  answer: z.object({ topics: z.array(z.string()) }),
});

/** The one topic of members: something that the page shows has changed. */
export const ME_TOPIC = 'me';

export const meEvents = endpoint({
  name: 'meEvents',
  method: 'GET',
  path: '/api/me/events',
  right: null,
  summary: 'Server-sent events: that something of what the person sees has changed',
  media: 'events',
  answer: z.object({ topics: z.array(z.string()) }),
});
