/** The address of a page that was reached by Next or Previous: with the cursor of its neighbour. */
export function withCursor(address: string): RegExp {
  return new RegExp(`${address.replaceAll(/[.?+]/g, '\\$&')}&cursor=[\\w.]+$`, 'u');
}
