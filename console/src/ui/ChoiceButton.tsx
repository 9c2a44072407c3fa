import { Check } from 'lucide-react';
import { Button, type ButtonProps } from './Button.tsx';
import { cx } from './cx.ts';

export interface ChoiceButtonProps extends Omit<
  ButtonProps,
  'aria-pressed' | 'icon' | 'busy' | 'busyLabel'
> {
  /** The choice in force: filled, checked, and not to be pressed again. */
  chosen: boolean;
}

/** One of a few states of a thing: pressing another one asks for that state. */
export function ChoiceButton({ chosen, disabled, className, ...rest }: ChoiceButtonProps) {
  return (
    <Button
      {...rest}
      disabled={chosen || disabled}
      aria-pressed={chosen}
      icon={chosen && <Check aria-hidden="true" className="size-4" />}
      // Not faded like a choice that is closed: it reads as taken. Important, as both are classes.
      className={cx(
        chosen && 'border-accent! bg-blue-tint! text-blue! shadow-none! disabled:opacity-100!',
        className,
      )}
    />
  );
}
