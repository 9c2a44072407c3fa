import { TICKET_CODE_ALPHABET } from '@meridian/contract/tickets';
import { describe, expect, it } from 'vitest';
import { newTicketCode } from './tickets.service.ts';

const FORM = /^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$/;

describe('newTicketCode', () => {
  it('groups sixteen unambiguous letters by four', () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, at) => at);
    expect(newTicketCode(bytes)).toBe('2345-6789-ABCD-EFGH');
    expect(newTicketCode(bytes.map((byte) => 255 - byte))).toBe('ZYXW-VUTS-RQPN-MLKJ');
    for (let count = 0; count < 100; count += 1) expect(newTicketCode()).toMatch(FORM);
  });

  it('reaches every letter from equally many bytes', () => {
    const reached = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const letter = newTicketCode(new Uint8Array(16).fill(byte)).charAt(0);
      reached.set(letter, (reached.get(letter) ?? 0) + 1);
    }
    expect([...reached.keys()].toSorted().join('')).toBe(TICKET_CODE_ALPHABET);
    expect(new Set(reached.values())).toEqual(new Set([8]));
  });

  it('never repeats, and favours no letter at any place', () => {
    const total = 20_000;
    const codes = new Set<string>();
    const counts = Array.from({ length: 19 }, () => new Map<string, number>());
    for (let made = 0; made < total; made += 1) {
      const code = newTicketCode();
      codes.add(code);
      for (const [at, letter] of code.split('').entries()) {
        counts[at]?.set(letter, (counts[at].get(letter) ?? 0) + 1);
      }
    }
    expect(codes.size).toBe(total);
    // Chi-square over 32 letters; 125 is passed by chance in less than one of 10^12 places.
    const expected = total / 32;
    for (const [at, letters] of counts.entries()) {
      if (at % 5 === 4) continue;
      expect(letters.size).toBe(32);
      const chi = [...letters.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
      expect(chi).toBeLessThan(125);
    }
  });
});
