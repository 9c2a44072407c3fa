import { HANDLE_MAX_LENGTH } from '@meridian/contract/me/account';

/** As the protocol writes them: labels of letters, digits and inner hyphens, at least two. */
const HANDLE = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

export function isHandle(text: string): boolean {
  return text.length <= HANDLE_MAX_LENGTH && HANDLE.test(text);
}
