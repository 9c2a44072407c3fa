import type {
  meDelete,
  meDisconnect,
  meExport,
  meGet,
  meSignIn,
  meSignOut,
  meTicketRedeem,
} from '@meridian/contract/me/account';
import type {
  meLinkCard,
  meMediaUpload,
  mePostCancel,
  mePostCreate,
  mePostDelete,
  mePostGet,
  mePostList,
  mePostRetry,
  mePostUpdate,
} from '@meridian/contract/me/posts';
import type { AnswerOf } from '@meridian/contract/endpoint';
import { caller, request, whose } from './call.ts';

const MEDIA_PATH: (typeof meMediaUpload)['path'] = '/api/me/media';
export const EXPORT_PATH: (typeof meExport)['path'] = '/api/me/export';

/** Every call of the page. */
export const calls = {
  meSignIn: caller<typeof meSignIn>('POST', '/api/me/sign-in'),
  meSignOut: caller<typeof meSignOut>('POST', '/api/me/sign-out'),
  meGet: caller<typeof meGet>('GET', '/api/me'),
  meDisconnect: caller<typeof meDisconnect>('POST', '/api/me/disconnect'),
  meDelete: caller<typeof meDelete>('POST', '/api/me/delete'),
  meLinkCard: caller<typeof meLinkCard>('POST', '/api/me/link-card'),
  mePostCreate: caller<typeof mePostCreate>('POST', '/api/me/posts'),
  mePostList: caller<typeof mePostList>('GET', '/api/me/posts'),
  mePostGet: caller<typeof mePostGet>('GET', '/api/me/posts/{id}'),
  mePostUpdate: caller<typeof mePostUpdate>('PATCH', '/api/me/posts/{id}'),
  mePostCancel: caller<typeof mePostCancel>('POST', '/api/me/posts/{id}/cancel'),
  mePostDelete: caller<typeof mePostDelete>('DELETE', '/api/me/posts/{id}'),
  mePostRetry: caller<typeof mePostRetry>('POST', '/api/me/posts/{id}/retry'),
  meTicketRedeem: caller<typeof meTicketRedeem>('POST', '/api/me/tickets/redeem'),
};

/** The bytes themselves, of the type that they say. */
export async function uploadPicture(picture: Blob, signal?: AbortSignal) {
  const headers = { ...whose, 'content-type': picture.type };
  const init = { method: 'POST', headers, body: picture };
  const response = await request(MEDIA_PATH, init, signal);
  // The server serialises every response by the schema of its endpoint.
  return ((await response.json()) as AnswerOf<typeof meMediaUpload>).media;
}
