import type { ReactNode } from 'react';
import { Logo } from '../../../console/src/theme/Logo.tsx';
import { SkipLink } from '../../../console/src/ui/SkipLink.tsx';

type FrameProps = {
  /** At the end of the top bar. */
  menu?: ReactNode;
  /** One column of text, or the page with its second column. */
  wide?: boolean;
  /** Where the page has no heading that is seen, screen readers have one. */
  hasTitle?: boolean;
  children?: ReactNode;
};

export function Frame({ menu, wide = false, hasTitle = false, children }: FrameProps) {
  return (
    <>
      <SkipLink />
      <header className="border-b border-border bg-surface">
        <div className="mx-auto flex min-h-14 max-w-[68rem] flex-wrap items-center justify-between gap-x-4 px-4 sm:px-6">
          <span className="flex items-center gap-2.5 text-lg font-semibold">
            <Logo />
            Meridian
          </span>
          {menu}
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className={`@container mx-auto px-4 py-6 sm:px-6 ${wide ? 'max-w-[68rem]' : 'max-w-[27rem] sm:py-16'}`}
      >
        {!hasTitle && <h1 className="sr-only">Your scheduled posts</h1>}
        {children}
      </main>
    </>
  );
}
