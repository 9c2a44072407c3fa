import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './Button.tsx';
import { Tooltip } from './Tooltip.tsx';

export interface IconButtonProps extends Omit<
  ButtonProps,
  'children' | 'icon' | 'busyLabel' | 'wide' | 'square' | 'aria-label'
> {
  /** Its name, and the words of its tooltip. */
  label: string;
  /** The icon. */
  children: ReactNode;
}

export function IconButton({ label, variant = 'ghost', ...rest }: IconButtonProps) {
  return (
    <Tooltip content={label}>
      {() => <Button {...rest} square variant={variant} aria-label={label} />}
    </Tooltip>
  );
}
