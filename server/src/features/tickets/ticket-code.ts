import { randomBytes } from 'node:crypto';
import { TICKET_CODE_ALPHABET, TICKET_CODE_LENGTH } from '@meridian/contract/tickets';

/** 80 random bits as `XXXX-XXXX-XXXX-XXXX`: a code is a bearer secret until it is used. */
export function newTicketCode(random: Uint8Array = randomBytes(TICKET_CODE_LENGTH)): string {
  // 256 is a multiple of the 32 letters, so the remainder favours none.
  const letters = Array.from(
    random,
    (byte) => TICKET_CODE_ALPHABET[byte % TICKET_CODE_ALPHABET.length],
  );
  return grouped(letters.join(''));
}

const CODE = new RegExp(`^[${TICKET_CODE_ALPHABET}]{${TICKET_CODE_LENGTH}}$`, 'u');

/** The code as printed, however it was typed: in capitals, in groups of four. Null for other texts. */
export function readTicketCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/gu, '');
  return CODE.test(letters) ? grouped(letters) : null;
}

function grouped(letters: string): string {
  return letters.replaceAll(/.{4}(?=.)/g, '$&-');
}
