import type { ReactNode } from 'react';
import type { LinkProps } from 'react-router';
import { buttonClass, type ButtonLook } from '../../ui/button-class.ts';
import { AppLink } from './AppLink.tsx';

export interface LinkButtonProps extends Omit<LinkProps, 'className' | 'style'>, ButtonLook {
  icon?: ReactNode;
}

/** Leads somewhere, and looks like a button. */
export function LinkButton({ variant, size, wide, icon, children, ...rest }: LinkButtonProps) {
  return (
    <AppLink {...rest} className={buttonClass({ variant, size, wide })}>
      {icon}
      {children}
    </AppLink>
  );
}
