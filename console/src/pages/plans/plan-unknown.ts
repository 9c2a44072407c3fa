/** For a switch whose state another server left out: saving sends the whole plan. */
export const unknownNote = (what: string) =>
  `The service did not say ${what}. It will be saved as set here.`;
