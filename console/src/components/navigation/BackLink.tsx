import { ChevronLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { LinkButton } from './LinkButton.tsx';
import { lastAddressOf, wasOpenedFrom } from './visits.ts';

export interface BackLinkProps {
  /** The list one came from. */
  to: string;
  children: string;
}

/** Back to the very list: its filters, its page and, when it is one step back, its scroll position. */
export function BackLink({ to, children }: BackLinkProps) {
  const location = useLocation();
  const navigate = useNavigate();
  function goBack(event: MouseEvent) {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!isPlain || !wasOpenedFrom(location.key, to)) return;
    event.preventDefault();
    void navigate(-1);
  }
  return (
    <LinkButton
      to={lastAddressOf(to)}
      variant="ghost"
      size="sm"
      icon={<ChevronLeft aria-hidden="true" className="size-4" />}
      onClick={goBack}
    >
      {children}
    </LinkButton>
  );
}
