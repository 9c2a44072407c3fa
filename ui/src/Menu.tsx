import { Check } from 'lucide-react';
import {
  cloneElement,
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Placement, placePopover } from './Tooltip.tsx';
import { cx } from './classes.ts';

interface MenuProps {
  trigger: ReactElement<ComponentProps<'button'>>;
  children: ReactNode;
  side?: 'top' | 'bottom' | undefined;
  align?: 'start' | 'center' | 'end' | undefined;
  className?: string | undefined;
}

export function Menu(props: MenuProps) {
  const { trigger, children, side = 'bottom', align = 'start', className } = props;
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

interface MenuPopupProps {
  id: string;
  labelledBy: string;
  anchor: RefObject<HTMLElement | null>;
  placement: Placement;
  focusFirst: boolean;
  onClose: (returnFocus: boolean) => void;
  className: string | undefined;
  children: ReactNode;
}

/** Mounted means open. A popover: above everything, and cut by no scroll box. */
function MenuPopup({ id, labelledBy, className, children, ...props }: MenuPopupProps) {
  const { anchor, placement, focusFirst, onClose } = props;
  const popup = useRef<HTMLDivElement>(null);
  const entries = () => [...(popup.current?.querySelectorAll<HTMLElement>(ENTRIES) ?? [])];

  // Shown, placed and focused before the paint, once.
  useLayoutEffect(() => {
    const element = popup.current;
    if (element === null || anchor.current === null) return undefined;
    element.showPopover();
    placePopover(element, anchor.current, placement);
    (focusFirst ? (entries()[0] ?? element) : element).focus();
    return () => element.hidePopover();
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  // A press anywhere else closes it and does there what it would have done anyway.
  useEffect(() => {
    function onPointerDown(event: globalThis.PointerEvent) {
      const isInside = event.target instanceof Node && anchor.current?.contains(event.target);
      if (isInside !== true) onClose(false);
    }
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  });

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' || event.key === 'Tab') {
      // Only the menu is closed, not the drawer it may lie in.
      event.stopPropagation();
      if (event.key === 'Escape') event.preventDefault();
      onClose(true);
      return;
    }
    if (event.key === ' ' && document.activeElement instanceof HTMLAnchorElement) {
      // Space presses a button by itself; past a link it would scroll.
      event.preventDefault();
      document.activeElement.click();
      return;
    }
    const list = entries();
    const current = list.findIndex((entry) => entry === document.activeElement);
    const texts = list.map(({ textContent }) => ({ text: textContent }));
    const target = menuTarget(event.key, texts, current);
    if (target === undefined) return;
    event.preventDefault();
    list[target]?.focus();
  }

  const close = useCallback(() => onClose(true), [onClose]);
  return (
    <div
      ref={popup}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-labelledby={labelledBy}
      popover="manual"
      onKeyDown={handleKeyDown}
      onPointerMove={handlePointerMove}
      className={cx(
        'fixed inset-auto m-0 max-h-[calc(100dvh-1rem)] max-w-[calc(100vw-1rem)] min-w-[min(12rem,100vw-1rem)] overflow-y-auto rounded border border-border bg-raised p-1 text-text shadow-pop transition-opacity starting:opacity-0',
        className,
      )}
    >
      <MenuCloseContext value={close}>{children}</MenuCloseContext>
    </div>
  );
}

const ENTRIES = '[role^=menuitem]';

/** The pointer takes the focus along, so that there is one highlight and not two. */
function handlePointerMove(event: PointerEvent) {
  if (event.pointerType !== 'mouse' || !(event.target instanceof Element)) return;
  event.target.closest<HTMLElement>(ENTRIES)?.focus({ preventScroll: true });
}

interface MenuItemProps {
  children: ReactNode;
  icon?: ReactNode;
  danger?: boolean | undefined;
  onSelect?: (() => void) | undefined;
  link?: ReactElement<ComponentProps<'a'>> | undefined;
}

export function MenuItem({ children, icon, danger = false, onSelect, link }: MenuItemProps) {
  const close = useContext(MenuCloseContext);
  const className = cx(MENU_ITEM_CLASS, danger && 'text-danger');
  const content = (
    <>
      <ItemIcon icon={icon} />
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

function ItemIcon({ icon }: { icon: ReactNode }) {
  return icon !== undefined && <span className="text-muted [&_svg]:size-4">{icon}</span>;
}

interface MenuRadioGroupProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
}

/** One of a few, chosen inside a menu, which stays open so that the effect can be seen. */
export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>) {
  const { label, value, onValueChange, options } = props;
  const labelId = useId();
  return (
    // A fieldset is for forms; in a menu the role is all there is.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-labelledby={labelId}>
      <div id={labelId} className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted">
        {label}
      </div>
      {options.map((option) => {
        const isOn = option.value === value;
        return (
          <button
            key={option.value}
            type="button"
            role="menuitemradio"
            tabIndex={-1}
            aria-checked={isOn}
            className={MENU_ITEM_CLASS}
            onClick={() => onValueChange(option.value)}
          >
            <ItemIcon icon={option.icon} />
            <span className="flex-1">{option.label}</span>
            {isOn && <Check aria-hidden="true" className="size-4 text-accent" />}
          </button>
        );
      })}
    </div>
  );
}

export function MenuSeparator() {
  return <hr className="mx-1 my-1 border-border" />;
}

const MenuCloseContext = createContext<() => void>(() => {});

const MENU_ITEM_CLASS =
  'flex min-h-control-sm w-full cursor-default items-center gap-2.5 rounded-sm px-2.5 py-1 text-start text-base select-none ' +
  'focus:bg-sunken focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent';

/** The entry that a key leads to; undefined for any other key. `current` is -1 for no entry. */
export function menuTarget(
  key: string,
  entries: readonly { text: string }[],
  current: number,
): number | undefined {
  const count = entries.length;
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (Math.max(current, 0) - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key.length !== 1 || key === ' ') return undefined;
  const letter = key.toLowerCase();
  for (let step = 1; step <= count; step += 1) {
    const index = (current + step + count) % count;
    if (entries[index]?.text.trim().toLowerCase().startsWith(letter) === true) return index;
  }
  return undefined;
}
