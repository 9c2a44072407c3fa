/** In place of a value that is not there, where no other word is fixed for it. */
export const NOTHING = '–';
