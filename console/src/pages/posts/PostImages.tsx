import type { EmbeddedImage } from './content/embed.ts';
import { Picture } from '../../components/pictures/Picture.tsx';

/** The pictures of a post, each with its alternative text in words. */
export function PostImages({ images }: { images: readonly EmbeddedImage[] }) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className="grid gap-3 sm:grid-cols-2">
      {images.map(({ source, alt }, index) => (
        // The pictures of one post never move.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="min-w-0 overflow-hidden rounded border border-border">
          <Picture src={source?.src ?? null} alt={alt} className="aspect-4/3" />
          <p
            // The picture says it already to whoever cannot see it.
            aria-hidden={alt !== ''}
            className="border-t border-border px-3 py-2 text-sm whitespace-pre-line text-muted wrap-anywhere"
          >
            {alt === '' ? 'No alternative text' : <bdi>{alt}</bdi>}
          </p>
        </li>
      ))}
    </ul>
  );
}
