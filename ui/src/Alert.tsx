import { CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { TONE_CLASS } from './Badge.tsx';
import { requestOfFault } from './api/errors.ts';
import { cx } from './classes.ts';

interface AlertProps {
  tone?: keyof typeof ICONS | undefined;
  title?: string | undefined;
  children: ReactNode;
  action?: ReactNode;
  onDismiss?: (() => void) | undefined;
  /** Red interrupts the screen reader, the rest waits its turn; 'none' for what was always there. */
  live?: 'alert' | 'status' | 'none' | undefined;
  className?: string | undefined;
}

const ICONS = { red: TriangleAlert, amber: TriangleAlert, green: CircleCheck, blue: Info };

export function Alert({ tone = 'red', title, children, className, ...props }: AlertProps) {
  const { action, onDismiss, live = tone === 'red' ? 'alert' : 'status' } = props;
  const Icon = ICONS[tone];
  const titleId = useId();
  const role = live === 'none' ? undefined : live;
  return (
    <div
      role={title === undefined ? role : undefined}
      className={cx(
        'flex items-start gap-2.5 rounded px-3.5 py-2.5 text-base font-medium forced-colors:border',
        TONE_CLASS[tone],
        className,
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52 wrap-anywhere">
          {title === undefined ? (
            children
          ) : (
            <>
              <p id={titleId}>{title}</p>
              <p role={role} aria-labelledby={role && titleId} className="font-normal">
                {children}
              </p>
            </>
          )}
        </div>
        {action !== undefined && <div className="-my-1 flex items-center gap-2">{action}</div>}
      </div>
      {onDismiss !== undefined && (
        <button
          type="button"
          aria-label="Dismiss"
          onClick={onDismiss}
          className="-my-1 -me-2 flex size-control-sm items-center justify-center rounded-sm hover:bg-current/10"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}

/** Names the request where the server is at fault: its log has more to say about it. */
export function RequestNote({ error }: { error: unknown }) {
  const requestId = requestOfFault(error);
  if (requestId === undefined) return null;
  return (
    <span className="mt-0.5 block text-sm font-normal">
      Request <span className="text-mono">{requestId}</span>
    </span>
  );
}
