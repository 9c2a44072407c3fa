import { CircleAlert, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { cx, INPUT_CLASS, INPUT_HEIGHT, READ_ONLY_CLASS } from './classes.ts';

export interface FieldProps {
  label: ReactNode;
  /** Keeps the label for screen readers where the place itself says what the field is. */
  labelHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean | undefined;
  id?: string | undefined;
  className?: string | undefined;
}

interface LabelledProps extends FieldProps {
  children: (attributes: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
    'aria-required': true | undefined;
  }) => ReactNode;
}

export function Field(props: LabelledProps) {
  const { label, labelHidden = false, hint, error, required = false, className, children } = props;
  const ownId = useId();
  const { id = ownId } = props;
  const hasHint = Boolean(hint);
  const hasError = Boolean(error);
  return (
    <div className={cx('min-w-0', className)}>
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={labelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}
      >
        {label}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {' *'}
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': cx(hasError && `${id}-error`, hasHint && `${id}-hint`) || undefined,
        'aria-invalid': hasError || undefined,
        // Not `required`: the browser's own bubble would hide the words of the form.
        'aria-required': required || undefined,
      })}
      {hasHint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {/* Always there, so that an error appearing in it is announced. */}
      <div id={`${id}-error`} aria-live="polite">
        {hasError && (
          <p className="mt-1.5 flex items-start gap-1.5 text-sm text-danger">
            <CircleAlert aria-hidden="true" className="mt-[0.1875rem] size-3.5 shrink-0" />
            <span className="min-w-0">{error}</span>
          </p>
        )}
      </div>
    </div>
  );
}

/** Parts the props of a field from those of the control inside it. */
export function splitField<Props extends FieldProps>(props: Props) {
  const { label, labelHidden, hint, error, required, id, className, ...control } = props;
  return [{ label, labelHidden, hint, error, required, id, className }, control] as const;
}

export interface TextFieldProps
  extends FieldProps, Omit<ComponentProps<'input'>, 'children' | 'className' | 'id' | 'required'> {
  mono?: boolean | undefined;
  icon?: ReactNode;
  suffix?: ReactNode;
}

export function TextField(props: TextFieldProps) {
  const [field, { mono = false, icon, suffix, type = 'text', ...input }] = splitField(props);
  return (
    <Field {...field}>
      {(attributes) => (
        <div className="relative">
          {icon !== undefined && (
            <span className="pointer-events-none absolute inset-y-0 start-3 flex items-center text-muted [&_svg]:size-4">
              {icon}
            </span>
          )}
          <input
            {...input}
            {...attributes}
            type={type}
            className={cx(
              INPUT_CLASS,
              INPUT_HEIGHT,
              mono && 'font-mono',
              input.readOnly === true && READ_ONLY_CLASS,
              icon !== undefined && 'ps-9',
              suffix !== undefined && 'pe-11',
            )}
          />
          {suffix !== undefined && (
            <span className="absolute inset-y-0 end-1 flex items-center text-sm text-muted">
              {suffix}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}

export interface TextAreaProps
  extends
    FieldProps,
    Omit<ComponentProps<'textarea'>, 'children' | 'className' | 'id' | 'required'> {}

export function TextArea(props: TextAreaProps) {
  const [field, { rows = 3, ...area }] = splitField(props);
  return (
    <Field {...field}>
      {(attributes) => (
        <textarea
          {...area}
          {...attributes}
          rows={rows}
          className={cx(
            INPUT_CLASS,
            'block field-sizing-content max-h-96 resize-y py-1.5',
            area.readOnly === true && READ_ONLY_CLASS,
          )}
          // field-sizing ignores rows: the least height has to be told.
          style={{ minHeight: `calc(${rows}lh + 0.875rem)` }}
        />
      )}
    </Field>
  );
}

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'suffix' | 'mono' | 'icon'> & {
  autoComplete: 'current-password' | 'new-password';
};

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
