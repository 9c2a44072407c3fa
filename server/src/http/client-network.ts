import ipaddr from 'ipaddr.js';

/** Clients whose address cannot be read share this one network, whatever the proxy sent. */
const UNKNOWN_NETWORK = 'unknown';

/** Longer than any address with zone, brackets and port. A forwarded text may have kilobytes. */
const MAX_LENGTH = 100;

// Some proxies add the client's port: 203.0.113.7:5000 or [2001:db8::1]:5000.
const WITH_BRACKETS_OR_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/** The unit that sign-ins are counted by: an IPv4 address, or the /64 an IPv6 address lies in. */
export function networkOf(address: string | undefined): string {
  const parsed = parseAddress(address);
  if (parsed === null) return UNKNOWN_NETWORK;
  if (!('parts' in parsed)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

/** An address without port, brackets and zone, in canonical form; null for other texts. */
export function canonicalAddress(address: string | undefined): string | null {
  return parseAddress(address)?.toString() ?? null;
}

function parseAddress(text = ''): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text.length > MAX_LENGTH) return null;
  const [, bracketed, plain] = WITH_BRACKETS_OR_PORT.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  // Four decimal parts only: the library also reads 12345 and 0x7f.1, and 010.0.0.1 as octal.
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return ipaddr.IPv4.parse(host);
  if (!ipaddr.IPv6.isValid(host)) return null;
  const { parts } = ipaddr.IPv6.parse(host);
  // From its parts alone, so that the zone is left out.
  const address = new ipaddr.IPv6(parts);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
