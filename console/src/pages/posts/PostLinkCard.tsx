import { ExternalLink } from '../../components/ExternalLink.tsx';
import { Picture } from '../../components/pictures/Picture.tsx';
import { isBlank, withoutHidden } from '../../ui/hidden-characters.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import type { LinkCard } from './content/embed.ts';

interface PostLinkCardProps {
  card: LinkCard;
  lang: string | undefined;
}

/** The preview of a page that a post links to. */
export function PostLinkCard({ card, lang }: PostLinkCardProps) {
  const { href, uri, description, thumb } = card;
  const title = isBlank(card.title) ? { children: 'No title' } : { children: card.title, lang };
  return (
    <article
      aria-label="Link card"
      className="flex overflow-hidden rounded border border-border @max-xl:flex-col"
    >
      {thumb !== null && (
        <Picture
          src={thumb}
          alt=""
          className="aspect-1200/630 w-52 shrink-0 border-border @max-xl:w-full @max-xl:border-b @xl:border-e"
        />
      )}
      <div className="min-w-0 flex-1 px-4 py-3">
        <h3 className="text-base leading-snug font-semibold wrap-anywhere">
          {/* The link itself is clamped: a clamp around it would cut off its focus ring. */}
          {href === null ? (
            <SafeText {...title} className="line-clamp-3" />
          ) : (
            <ExternalLink href={href} className="line-clamp-3">
              <SafeText {...title} />
            </ExternalLink>
          )}
        </h3>
        {description !== '' && (
          <p className="mt-1 line-clamp-3 text-sm text-muted wrap-anywhere">
            <SafeText lang={lang}>{description}</SafeText>
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
