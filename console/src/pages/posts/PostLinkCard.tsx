import { ExternalLink } from '../../components/ExternalLink.tsx';
import { Picture } from '../../components/pictures/Picture.tsx';
import { isBlank, withoutHidden } from '../../ui/hidden-characters.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import type { LinkCard } from './content/embed.ts';

/** The preview of a page that a post links to. */
export function PostLinkCard({ card }: { card: LinkCard }) {
  const { href, uri, description, thumb } = card;
  const title = isBlank(card.title) ? 'No title' : card.title;
  return (
    <article
      aria-label="Link card"
      className="flex overflow-hidden rounded border border-border @max-xl:flex-col"
    >
      {thumb !== null && (
        <Picture
          src={thumb.src}
          alt=""
          className="aspect-1200/630 w-52 shrink-0 border-border @max-xl:w-full @max-xl:border-b @xl:border-e"
        />
      )}
      <div className="min-w-0 flex-1 px-4 py-3">
        <h3 className="text-base leading-snug font-semibold wrap-anywhere">
          {/* The link itself is clamped: a clamp around it would cut off its focus ring. */}
          {href === null ? (
            <SafeText className="line-clamp-3">{title}</SafeText>
          ) : (
            <ExternalLink href={href} className="line-clamp-3">
              <SafeText>{title}</SafeText>
            </ExternalLink>
          )}
        </h3>
        {description !== '' && (
          <p className="mt-1 line-clamp-3 text-sm text-muted wrap-anywhere">
            <SafeText>{description}</SafeText>
          </p>
        )}
        {href === null && <p className="mt-1.5 text-sm text-amber">Refused link target</p>}
        <p
          className="mt-1.5 line-clamp-2 font-mono text-xs text-muted wrap-anywhere"
          title={withoutHidden(uri)}
        >
          {uri === '' ? 'No address' : <SafeText>{uri}</SafeText>}
        </p>
      </div>
    </article>
  );
}
