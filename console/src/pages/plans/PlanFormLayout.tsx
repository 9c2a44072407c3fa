import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '../../ui/cx.ts';
import { PLAN_SECTIONS } from './plan-sections.ts';
import { useCurrentSection } from './use-current-section.ts';

/** The form, and beside it, where there is room, links to its sections. */
export function PlanFormLayout({ children }: { children: ReactNode }) {
  const current = useCurrentSection();
  return (
    <div className="xl:@4xl:grid xl:@4xl:grid-cols-[minmax(0,48rem)_minmax(0,1fr)] xl:@4xl:gap-10">
      <div className="min-w-0">{children}</div>
      <nav aria-label="Sections of the form" className="hidden xl:@4xl:block">
        <ul className="sticky top-7 flex flex-col border-s border-border">
          {PLAN_SECTIONS.map(({ id, title }) => (
            <li key={id}>
              <Link
                to={{ hash: id }}
                replace
                aria-current={id === current ? 'location' : undefined}
                className={cx(
                  '-ms-px block border-s-2 px-3 py-1.5 text-sm',
                  id === current
                    ? 'border-accent font-medium text-text'
                    : 'border-transparent text-muted hover:text-text',
                )}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
