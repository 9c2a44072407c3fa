import { firstLanguage } from '@meridian/contract/untrusted';
import { isBlank, SafeText, truncateGraphemes } from '@meridian/ui/SafeText.tsx';

interface PostExcerptProps {
  content: string;
  languages?: readonly string[] | undefined;
  length: number;
}

export function PostExcerpt({ content, languages, length }: PostExcerptProps) {
  if (isBlank(content)) {
    return <span className="text-muted">{content === '' ? NO_TEXT : NO_VISIBLE_TEXT}</span>;
  }
  return (
    // A span, as the direction of the link is that of its text.
    <SafeText as="span" lang={firstLanguage(languages)} className="block overflow-clip">
      {truncateGraphemes(content.trimStart(), length)}
    </SafeText>
  );
}

export const NO_TEXT = 'No text';
/** The same of a post that has some, all of it white space or characters that show nothing. */
export const NO_VISIBLE_TEXT = 'No visible text';
