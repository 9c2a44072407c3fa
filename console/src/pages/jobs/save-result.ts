import { bulkResult } from '@meridian/contract/bulk';
import { errorOfResponse } from '../../api/read-error.ts';
import { requestUrl } from '../../api/request-url.ts';
import { headersWith, send } from '../../api/send.ts';
import { getToken } from '../../api/token-store.ts';
import { reportUnauthorized } from '../../api/unauthorized.ts';

/** Fetched with the session and handed to the browser as a file: a link could carry no token. */
export async function saveResult(id: string): Promise<void> {
  const token = getToken();
  const response = await send(requestUrl(bulkResult, { id }), {
    method: bulkResult.method,
    headers: headersWith(token),
  });
  if (!response.ok) {
    const error = await errorOfResponse(response);
    if (error.status === 401) reportUnauthorized(token);
    throw error;
  }
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: `job-${id}.csv` });
  link.click();
  URL.revokeObjectURL(url);
}
