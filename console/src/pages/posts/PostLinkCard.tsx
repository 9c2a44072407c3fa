import { SafeText } from '../../ui/SafeText.tsx';
import type { LinkCard } from './content/embed.ts';
import { safeLink } from './content/safe-link.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { Picture } from '../../components/pictures/Picture.tsx';

/** The preview of a page that a post links to. */
export function PostLinkCard({ card }: { card: LinkCard }) {
  const title = card.title || card.uri || 'Untitled';
  return (
    <article
      aria-label="Link card"
      className="flex overflow-hidden rounded border border-border max-sm:flex-col"
    >
      {card.thumb !== null && (
        <Picture
          src={card.thumb.src}
          alt=""
          className="aspect-1200/630 w-52 shrink-0 border-border max-sm:w-full max-sm:border-b sm:border-e"
        />
      )}
      <div className="min-w-0 flex-1 px-4 py-3">
        <h3 className="line-clamp-3 text-base leading-snug font-semibold wrap-anywhere">
          {card.href === null ? (
            <SafeText>{title}</SafeText>
          ) : (
            <ExternalLink href={card.href}>
              <SafeText>{title}</SafeText>
            </ExternalLink>
          )}
        </h3>
        {card.description !== '' && (
          <p className="mt-1 line-clamp-3 text-sm text-muted wrap-anywhere">
            <SafeText>{card.description}</SafeText>
          </p>
        )}
        <p className="mt-1.5 truncate font-mono text-xs text-muted" title={card.uri}>
          <bdi>{safeLink(card.uri)?.host ?? card.uri}</bdi>
        </p>
      </div>
    </article>
  );
}
