import type { Assignment } from '@meridian/contract/assignments';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { paths } from '../../paths.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { SafeText } from '../../ui/SafeText.tsx';

/** The ticket that an assignment came from. */
export function TicketCode({
  ticket: { id, code },
}: {
  ticket: NonNullable<Assignment['ticket']>;
}) {
  const words = <SafeText>{code}</SafeText>;
  return (
    <span className="inline-flex min-w-0 items-center text-muted">
      {id === '' ? (
        <span className="text-mono">{words}</span>
      ) : (
        <AppLink
          to={paths.ticket(id)}
          className="-my-1 rounded-sm py-1 text-mono text-accent-text hover:underline"
        >
          {words}
        </AppLink>
      )}
      <CopyButton text={code} label="Copy ticket code" className="ms-0.5" />
    </span>
  );
}
