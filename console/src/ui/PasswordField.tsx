import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { TextField, type TextFieldProps } from './TextField.tsx';

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'suffix' | 'mono' | 'icon'> & {
  autoComplete: 'current-password' | 'new-password';
};

/** A password with an eye: seeing it beats typing it twice. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      suffix={
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="flex h-[calc(100%-0.5rem)] w-8 items-center justify-center rounded-sm text-muted hover:bg-sunken hover:text-text coarse:h-full coarse:w-10"
        >
          <Icon aria-hidden="true" className="size-4" />
        </button>
      }
    />
  );
}
