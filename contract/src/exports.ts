import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { choice } from './fields.ts';
import { postListFilter, textIsBounded } from './posts.ts';
import { ticketListQuery } from './tickets.ts';
import { userListQuery } from './users.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};
export type ExportNoun = 'posts' | 'users' | 'tickets' | 'plans' | 'currencies';

/** 'meridian-posts-2026-11-16.csv', with the day in UTC. */
export function exportFileName(noun: ExportNoun, format: ExportFormat, now: Date): string {
  return `meridian-${noun}-${now.toISOString().slice(0, 10)}.${format}`;
}

const format = { format: choice('format', EXPORT_FORMATS) };
const page = { limit: true, offset: true, cursor: true } as const;

function exportOf<Noun extends ExportNoun, Query extends z.ZodMiniType>(
  name: string,
  noun: Noun,
  query: Query,
) {
  return endpoint({
    name,
    method: 'GET',
    path: `/api/admin/${noun}/export`,
    right: `${noun}:read`,
    summary: `Every row of the list of ${noun} that its filters leave, as a file`,
    media: 'export',
    query,
    answer: z.string(),
  });
}

export const postExport = exportOf(
  'postExport',
  'posts',
  z.extend(postListFilter, format).check(textIsBounded),
);
export const userExport = exportOf(
  'userExport',
  'users',
  z.extend(z.omit(userListQuery, page), format),
);
export const ticketExport = exportOf(
  'ticketExport',
  'tickets',
  z.extend(z.omit(ticketListQuery, page), format),
);
export const planExport = exportOf('planExport', 'plans', z.strictObject(format));
export const currencyExport = exportOf('currencyExport', 'currencies', z.strictObject(format));
