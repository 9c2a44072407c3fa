import type { ReactNode } from 'react';
import { keepHeaderFocus } from './keep-header-focus.ts';

export interface PageHeaderProps {
  title: ReactNode;
  /** One line of context under the heading. */
  context?: ReactNode;
  actions?: ReactNode;
  /** The way back, above the heading. */
  back?: ReactNode;
  /** A picture beside the heading. */
  media?: ReactNode;
  /** On the line of the heading, after it, such as a status. */
  beside?: ReactNode;
}

export function PageHeader({ title, context, actions, back, media, beside }: PageHeaderProps) {
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
