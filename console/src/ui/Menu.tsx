import {
  cloneElement,
  useId,
  useRef,
  useState,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { MenuPopup } from './MenuPopup.tsx';

interface TriggerProps {
  id?: string;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  'aria-controls'?: string | undefined;
  onClick?: (event: MouseEvent) => void;
}

export interface MenuProps {
  /** An element that renders a button and passes on what it is given. */
  trigger: ReactElement<TriggerProps>;
  children: ReactNode;
  side?: 'top' | 'bottom' | undefined;
  align?: 'start' | 'center' | 'end' | undefined;
  className?: string | undefined;
}

/** A button and the menu it opens. */
export function Menu({
  trigger,
  children,
  side = 'bottom',
  align = 'start',
  className,
}: MenuProps) {
  const anchor = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<'by-key' | 'by-pointer'>();
  const id = useId();

  function close(returnFocus: boolean) {
    setOpened(undefined);
    if (returnFocus) document.getElementById(`${id}-trigger`)?.focus();
  }

  return (
    <div ref={anchor}>
      {cloneElement(trigger, {
        id: `${id}-trigger`,
        'aria-haspopup': 'menu',
        'aria-expanded': opened !== undefined,
        'aria-controls': opened === undefined ? undefined : `${id}-menu`,
        onClick: (event) => {
          if (opened !== undefined) close(true);
          // Enter and Space click without a pointer: they go straight to the first entry.
          else setOpened(event.detail === 0 ? 'by-key' : 'by-pointer');
        },
      })}
      {opened !== undefined && (
        <MenuPopup
          id={`${id}-menu`}
          labelledBy={`${id}-trigger`}
          anchor={anchor}
          placement={{ side, align }}
          focusFirst={opened === 'by-key'}
          onClose={close}
          className={className}
        >
          {children}
        </MenuPopup>
      )}
    </div>
  );
}
