import { firstLanguage } from '@meridian/contract/untrusted';
import { isBlank, SafeText, truncateGraphemes } from '@meridian/ui/SafeText.tsx';

export interface PostExcerptProps {
  content: string;
  languages?: readonly string[] | undefined;
  /** In characters as people see them. */
  length: number;
}

/** The start of a post, as the words of a link: there is always something to see and to press. */
export function PostExcerpt({ content, languages, length }: PostExcerptProps) {
  if (isBlank(content)) {
    return <span className="text-muted">{content === '' ? NO_TEXT : NO_VISIBLE_TEXT}</span>;
  }
  return (
    // Not isolated: the direction of the link is that of its text. Clipped: marks stacked on a letter
    // stay out of the lines above and below.
    <SafeText as="span" lang={firstLanguage(languages)} className="block overflow-clip">
      {truncateGraphemes(content.trimStart(), length)}
    </SafeText>
  );
}

/** In place of the text of a post that has none, such as one of pictures only. */
export const NO_TEXT = 'No text';
/** The same of a post that has some, all of it white space or characters that show nothing. */
export const NO_VISIBLE_TEXT = 'No visible text';
