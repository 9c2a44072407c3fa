import { NoResponse } from '../transport.ts';
import type { HttpResponse, Transport } from '../transport.ts';

/** The transport as the OAuth client calls it. The response is read to its end before it is handed on. */
export function fetchOver(transport: Transport): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, search } = new URL(request.url);
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    const headers = { ...Object.fromEntries(request.headers), ...HEADERS };
    const response = await transport.request(origin, pathname + search, {
      method: request.method,
      headers,
      body,
      signal: request.signal,
    });
    return asResponse(response, { origin, path: pathname + search });
  };
}

/** Compression is declined: what is not unpacked cannot explode. */
const HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'Meridian' };
const WITHOUT_BODY = new Set([204, 205, 304]);

type Place = { origin: string; path: string };

function asResponse({ status, headers, text }: HttpResponse, place: Place): Response {
  try {
    const fields = Object.entries(headers).flatMap(([name, value = []]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    const body = WITHOUT_BODY.has(status) ? null : text;
    const response = new Response(body, { status, headers: fields });
    // Errors of the client carry the response, and nothing else that tells whose it is.
    return Object.defineProperty(response, 'url', { value: place.origin + place.path });
  } catch (error) {
    // A status or header that no Response can hold.
    throw new NoResponse('unreadable', status, place, error);
  }
}
