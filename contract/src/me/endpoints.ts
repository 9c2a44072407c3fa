import { meTokenCreate, meTokenList, meTokenRevoke, meTokenRotate } from '../api-tokens.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  meDelete,
  meDisconnect,
  meExport,
  meGet,
  meSignIn,
  meSignInResult,
  meSignOut,
  meTicketRedeem,
} from './account.ts';
import { meEvents } from '../events.ts';
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

export const ME_ENDPOINTS = [
  meSignIn,
  meSignInResult,
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
  meTokenList,
  meTokenCreate,
  meTokenRotate,
  meTokenRevoke,
] as const satisfies readonly Endpoint[];
