import type { Endpoint } from '@meridian/contract/endpoint';
import { isRecord, unwrapped } from '@meridian/contract/response-shape';
import { NoResponse } from './client.ts';
import type { Client, Reply, Request } from './client.ts';
import { compare, compareError } from './differences.ts';
import { isResponseNamed } from './law.ts';
import type { Report } from './report.ts';

const MESSAGE_MAX = 200;

export type Row = Record<string, unknown>;

export type Probe = {
  report: Report;
  /** Plays a call that must succeed. Null when there is no response to go on with. */
  succeeds(endpoint: Endpoint, request?: Request): Promise<Row | null>;
  /** Plays a call that must be refused with one of these statuses. */
  isRefused(endpoint: Endpoint, request: Request, refusal: Refusal): Promise<void>;
  /** Says that something does not fit. */
  differs(endpoint: Endpoint, sentence: string): void;
};

export type Refusal = {
  statuses: readonly number[];
  /** 'to an unknown id' */
  of: string;
};

export const NOT_SIGNED_IN = { statuses: [401], of: 'without a valid token' };
export const UNKNOWN_ID = { statuses: [404], of: 'to an unknown id' };
export const badBody = (why: string): Refusal => ({ statuses: [400, 422], of: `to ${why}` });

export function createProbe(client: Client, report: Report): Probe {
  async function send(endpoint: Endpoint, request: Request): Promise<Reply | null> {
    report.played(endpoint);
    try {
      return await client.send(endpoint, request);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      report.add('differences', endpoint, error.message);
      return null;
    }
  }
  const differs = (endpoint: Endpoint, sentence: string) =>
    report.add('differences', endpoint, sentence);

  return {
    report,
    differs,

    async succeeds(endpoint, request = {}) {
      const reply = await send(endpoint, request);
      if (reply === null) return null;
      const { status, json } = reply;
      if (status < 200 || status > 299) {
        const asked = queryText(request);
        differs(
          endpoint,
          `responded with ${status}${asked}${messageIn(json)} where success is expected`,
        );
        return null;
      }
      if (isResponseNamed(endpoint)) {
        if (json === undefined) {
          differs(endpoint, 'the response is not JSON');
          return null;
        }
        const { differences, notes } = compare(endpoint, json);
        for (const { sentence } of differences) differs(endpoint, sentence);
        for (const { sentence } of notes) report.add('notes', endpoint, sentence);
      }
      const whole = unwrapped(endpoint.answer, json);
      return isRecord(whole) ? whole : {};
    },

    async isRefused(endpoint, request, { statuses, of }) {
      const reply = await send(endpoint, request);
      if (reply === null) return;
      if (!statuses.includes(reply.status)) {
        differs(
          endpoint,
          `responded with ${reply.status} ${of}; ${statuses.join(' or ')} is expected`,
        );
      } else for (const { sentence } of compareError(reply.json)) differs(endpoint, sentence);
    },
  };
}

/** Why the server refused what it should not, on one line. */
function messageIn(json: unknown): string {
  const message = isRecord(json) ? textAt(json, 'message') : null;
  return message === null
    ? ''
    : ` (${message.replaceAll(/[\s\p{C}]+/gu, ' ').slice(0, MESSAGE_MAX)})`;
}

function queryText({ query = {} }: Request): string {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? '' : ` to ?${parts.join('&')}`;
}

export function rowsOf(body: Row | null, name: string): Row[] {
  const rows = body?.[name];
  return Array.isArray(rows) ? rows.filter(isRecord) : [];
}

/** A text or a number of a row; null when it has none there. */
export function textAt(row: Row | undefined, field: string): string | null {
  const value = row?.[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export function idOf(row: Row | undefined): string | null {
  return textAt(row, 'id');
}

/** Of the same form as the ids of the server, where those are numbers. */
export function unknownId(known: string | null): string {
  return known !== null && /^\d+$/.test(known) ? '2147483646' : crypto.randomUUID();
}
