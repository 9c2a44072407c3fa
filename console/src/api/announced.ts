let announced: readonly string[] = [];

/** Told by the session, which reads it from `auth/me`. */
export function setAnnounced(features: readonly string[]): void {
  announced = features;
}

/** Whether the server says that it offers this beyond the specified calls. */
export function isAnnounced(feature: string): boolean {
  return announced.includes(feature);
}
