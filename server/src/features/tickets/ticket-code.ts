import { randomBytes } from 'node:crypto';
import { TICKET_CODE_ALPHABET, TICKET_CODE_LENGTH } from '@meridian/contract/tickets';

/** 80 random bits as `XXXX-XXXX-XXXX-XXXX`: a code is a bearer secret until it is used. */
export function newTicketCode(random: Uint8Array = randomBytes(TICKET_CODE_LENGTH)): string {
  // 256 is a multiple of the 32 letters, so the remainder favours none.
  const letters = Array.from(
    random,
    (byte) => TICKET_CODE_ALPHABET[byte % TICKET_CODE_ALPHABET.length],
  );
  return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
}
