import { Picture } from '../../components/pictures/Picture.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import type { EmbeddedImage } from './content/embed.ts';

interface PostImagesProps {
  images: readonly EmbeddedImage[];
  lang: string | undefined;
}

/** The pictures of a post, each with its alternative text in words. */
export function PostImages({ images, lang }: PostImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className="grid items-start gap-3 @xl:grid-cols-2">
      {images.map(({ src, alt }, index) => (
        // The pictures of one post never move.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="min-w-0 overflow-hidden rounded border border-border">
          <Picture src={src} alt={alt} lang={lang} className="aspect-4/3" />
          <AltText lang={lang}>{alt}</AltText>
        </li>
      ))}
    </ul>
  );
}

/** A longer one scrolls in its box, by keyboard too, so that the picture stays in sight. */
const LONG = 250;

function AltText({ children: alt, lang }: { children: string; lang: string | undefined }) {
  const scrolls = alt.length > LONG;
  return (
    <p
      // A screen reader has it from the picture already.
      aria-hidden={alt !== '' && !scrolls}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard too
      tabIndex={scrolls ? 0 : undefined}
      className="max-h-40 overflow-x-clip overflow-y-auto border-t border-border px-3 py-2 text-sm whitespace-pre-line text-muted wrap-anywhere"
    >
      {alt === '' ? 'No alternative text' : <SafeText lang={lang}>{alt}</SafeText>}
    </p>
  );
}
