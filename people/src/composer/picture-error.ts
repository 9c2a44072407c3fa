/** What is wrong with the file, in a sentence for the person. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}
