import { X } from 'lucide-react';
import { SafeText } from '../../../console/src/ui/SafeText.tsx';
import type { DraftCard } from '../composer/draft.ts';
import { IconButton } from './IconButton.tsx';

type LinkPreviewProps = { card: DraftCard; lang: string | undefined; onRemove?: () => void };

/** What a link shows of the page it leads to. */
export function LinkPreview({ card, lang, onRemove }: LinkPreviewProps) {
  const host = URL.parse(card.uri)?.host ?? card.uri;
  return (
    <div className="flex items-start gap-3 rounded border border-border p-2">
      {card.media !== null && (
        <img
          src={card.media.url}
          alt=""
          loading="lazy"
          className="size-16 shrink-0 rounded-sm bg-sunken object-cover"
        />
      )}
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate text-muted">
          <SafeText>{host}</SafeText>
        </p>
        <p className="line-clamp-1 font-medium wrap-anywhere">
          <SafeText lang={lang}>{card.title === '' ? card.uri : card.title}</SafeText>
        </p>
        <p className="line-clamp-1 text-muted wrap-anywhere">
          <SafeText lang={lang}>{card.description}</SafeText>
        </p>
      </div>
      {onRemove !== undefined && (
        <IconButton label="Remove link preview" icon={X} onClick={onRemove} />
      )}
    </div>
  );
}
