const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A path segment that is no UUID names nothing: ask before the database, which would refuse it loudly. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
