/** In place of the text of a post that has none, such as one of pictures only. */
export const NO_TEXT = 'No text';
/** The same of a post that has some, all of it white space or characters that show nothing. */
export const NO_VISIBLE_TEXT = 'No visible text';
