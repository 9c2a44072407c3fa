import type { ReactNode } from 'react';
import { cx } from '../ui/cx.ts';

export interface ExternalLinkProps {
  /** Checked beforehand: http or https. */
  href: string;
  children: ReactNode;
  className?: string | undefined;
}

/** Out of the console, telling the other side nothing about it. */
export function ExternalLink({ href, children, className }: ExternalLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className={cx('rounded-sm text-accent-text hover:underline', className)}
    >
      {children}
    </a>
  );
}
