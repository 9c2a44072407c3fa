import type { FindResult } from '@meridian/contract/find';
import { postGet } from '@meridian/contract/posts';
import { ticketGet } from '@meridian/contract/tickets';
import { userGet } from '@meridian/contract/users';
import { matchPath } from 'react-router';
import { queryClient } from '../../api/query-client.ts';
import { endpointQuery } from '../../api/use-endpoint-query.ts';
import { patterns } from '../../paths.ts';
import { truncateGraphemes } from '../../ui/truncate-graphemes.ts';
import { recentPaths } from '../navigation/visits.ts';
import { itemOf, type PaletteItem } from './palette-items.ts';

const idIn = (pattern: string, path: string) =>
  Object.values(matchPath(pattern, path)?.params ?? {})[0] ?? '';

/** What was opened during this visit, the latest first, as far as it is still in the cache. */
export function recentItems(): PaletteItem[] {
  return recentPaths().flatMap((path) => {
    const found = userAt(path) ?? postAt(path) ?? ticketAt(path);
    return found === undefined ? [] : [itemOf(found)];
  });
}

function userAt(path: string): FindResult | undefined {
  const id = idIn(patterns.user, path);
  const found = queryClient.getQueryData(endpointQuery(userGet, { params: { id } }).queryKey);
  if (found === undefined) return undefined;
  const { handle, display_name: name } = found.user;
  return { kind: 'user', id, title: name || handle, detail: `@${handle}` };
}

function postAt(path: string): FindResult | undefined {
  const id = idIn(patterns.post, path);
  const found = queryClient.getQueryData(endpointQuery(postGet, { params: { id } }).queryKey);
  if (found === undefined) return undefined;
  const { content, status } = found.post;
  return { kind: 'post', id, title: truncateGraphemes(content, 80), detail: status };
}

function ticketAt(path: string): FindResult | undefined {
  const id = idIn(patterns.ticket, path);
  const found = queryClient.getQueryData(endpointQuery(ticketGet, { params: { id } }).queryKey);
  return found && { kind: 'ticket', id, title: found.ticket.code, detail: found.ticket.plan.name };
}
