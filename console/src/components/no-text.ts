/** In place of the words of a post that has none, such as one of pictures only. */
export const NO_TEXT = 'No text';
