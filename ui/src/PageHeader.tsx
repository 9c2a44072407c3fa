import type { ReactNode } from 'react';
import { usePageTitle } from './hooks.ts';

interface PageTitleProps extends PageHeaderProps {
  tabTitle?: string | undefined;
}

export function PageTitle({ tabTitle, ...header }: PageTitleProps) {
  usePageTitle(tabTitle ?? (typeof header.title === 'string' ? header.title : ''));
  return <PageHeader {...header} />;
}

interface PageHeaderProps {
  title: ReactNode;
  context?: ReactNode;
  actions?: ReactNode;
  back?: ReactNode;
  media?: ReactNode;
  beside?: ReactNode;
}

function PageHeader({ title, context, actions, back, media, beside }: PageHeaderProps) {
  return (
    <header ref={keepHeaderFocus} className="mb-5">
      {back !== undefined && <div className="mb-3 -ms-2 flex items-center">{back}</div>}
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 items-start gap-4">
          {media}
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-base text-muted">
              <h1 className="text-xl wrap-anywhere text-text lg:text-[1.375rem]">{title}</h1>
              {beside}
            </div>
            {context !== undefined && <div className="mt-1 text-base text-muted">{context}</div>}
          </div>
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-2">{actions}</div>
        )}
      </div>
    </header>
  );
}

/** The header of a page went away with the focus in it. */
let isOwed = false;

/** A skeleton, the page and its error have a header each: the focus moves to the next heading. */
function keepHeaderFocus(header: HTMLElement): () => void {
  const heading = header.querySelector('h1');
  if (isOwed && heading !== null) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  isOwed = false;
  return () => {
    isOwed = header.contains(document.activeElement);
  };
}

/** The first stop of the Tab key: past the navigation, into the page. */
export function SkipLink({ target = 'main' }: { target?: string | undefined }) {
  return (
    <a
      href={`#${target}`}
      onClick={(event) => {
        // The address is left alone: a router knows nothing of a step that `#main` would add.
        event.preventDefault();
        document.getElementById(target)?.focus();
      }}
      className="fixed start-3 top-3 z-60 -translate-y-20 rounded bg-accent-fill px-4 py-2 font-medium text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
