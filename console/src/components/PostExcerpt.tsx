import { firstLanguage } from '@meridian/contract/untrusted';
import { isBlank } from '../ui/hidden-characters.ts';
import { SafeText } from '../ui/SafeText.tsx';
import { truncateGraphemes } from '../ui/truncate-graphemes.ts';
import { NO_TEXT, NO_VISIBLE_TEXT } from './no-text.ts';

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
