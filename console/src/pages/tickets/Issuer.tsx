import type { ListedTicket } from '@meridian/contract/tickets';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';

/** Who issued a ticket: display name or handle, and the handle for certain. */
export function Issuer({ issuer: { displayName, handle } }: { issuer: ListedTicket['issuer'] }) {
  return (
    <div className="min-w-0 leading-tight">
      <div className="truncate font-medium">
        <SafeText>{displayName || handle || NOTHING}</SafeText>
      </div>
      {handle !== '' && (
        <div className="truncate text-xs text-muted">
          <SafeText>{`@${handle}`}</SafeText>
        </div>
      )}
    </div>
  );
}
