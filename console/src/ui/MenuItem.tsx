import {
  cloneElement,
  useContext,
  type ComponentProps,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { cx } from './cx.ts';
import { MENU_ITEM_CLASS, MenuCloseContext } from './menu-context.ts';

export interface MenuItemProps {
  children: ReactNode;
  icon?: ReactNode;
  danger?: boolean | undefined;
  onSelect?: (() => void) | undefined;
  /** An anchor, or a router's link, makes the item a link. */
  link?: ReactElement<ComponentProps<'a'>> | undefined;
}

export function MenuItem({ children, icon, danger = false, onSelect, link }: MenuItemProps) {
  const close = useContext(MenuCloseContext);
  const className = cx(MENU_ITEM_CLASS, danger && 'text-danger');
  const content = (
    <>
      {icon !== undefined && <span className="text-muted [&_svg]:size-4">{icon}</span>}
      {children}
    </>
  );
  if (link !== undefined) {
    return cloneElement(link, {
      role: 'menuitem',
      tabIndex: -1,
      className,
      children: content,
      onClick: (event: MouseEvent<HTMLAnchorElement>) => {
        close();
        link.props.onClick?.(event);
      },
    });
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={className}
      onClick={() => {
        // First, so that the focus is back before whatever follows takes it.
        close();
        onSelect?.();
      }}
    >
      {content}
    </button>
  );
}
