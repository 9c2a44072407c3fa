import type { Endpoint } from '../endpoint.ts';
import { meDelete, meDisconnect, meExport, meGet, meSignIn, meSignOut } from './account.ts';
import { meEvents } from './events.ts';
import {
  meLinkCard,
  meMediaGet,
  meMediaUpload,
  mePostCancel,
  mePostCreate,
  mePostDelete,
  mePostGet,
  mePostList,
  mePostRetry,
  mePostUpdate,
} from './posts.ts';
import { meTicketRedeem } from './tickets.ts';

/** Every call of the people who schedule. */
export const ME_ENDPOINTS = [
  meSignIn,
  meSignOut,
  meGet,
  meEvents,
  meDisconnect,
  meExport,
  meDelete,
  meMediaUpload,
  meMediaGet,
  meLinkCard,
  mePostCreate,
  mePostList,
  mePostGet,
  mePostUpdate,
  mePostCancel,
  mePostDelete,
  mePostRetry,
  meTicketRedeem,
] as const satisfies readonly Endpoint[];
