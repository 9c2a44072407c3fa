import type { ChangeEvent, Dispatch, SetStateAction } from 'react';
import {
  type FieldPath,
  type FieldValue,
  type PathOf,
  valueAt,
  withValueAt,
} from './field-path.ts';

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** Props for the kit's fields, by the path of the value: `<TextField {...form.text('name')} />`. */
export interface FieldControls<Values extends object> {
  set: <Path extends FieldPath<Values>>(path: Path, value: FieldValue<Values, Path>) => void;
  errorAt: (path: string) => string | undefined;
  /** TextField, PasswordField, TextArea. */
  text: (path: PathOf<Values, string>) => {
    name: string;
    value: string;
    error: string | undefined;
    readOnly: boolean;
    onChange: (event: ChangeEvent<TextElement>) => void;
  };
  /** NumberField: the text as typed. Read it with parseNumber in `toBody`. */
  number: (path: PathOf<Values, string>) => {
    name: string;
    value: string;
    error: string | undefined;
    readOnly: boolean;
    onValueChange: (text: string) => void;
  };
  /** Switch, Checkbox. */
  flag: (path: PathOf<Values, boolean>) => {
    name: string;
    checked: boolean;
    busy: boolean;
    onCheckedChange: (checked: boolean) => void;
  };
  /** For a Select. */
  choice: <Path extends PathOf<Values, string>>(
    path: Path,
  ) => {
    name: string;
    value: FieldValue<Values, Path> & string;
    error: string | undefined;
    'aria-disabled': true | undefined;
    onValueChange: (value: FieldValue<Values, Path> & string) => void;
  };
}

/** @param isLocked while the values are being saved: the fields keep their focus and take nothing */
export function fieldControls<Values extends object>(
  values: Values,
  setValues: Dispatch<SetStateAction<Values>>,
  errors: ReadonlyMap<string, string>,
  isLocked = false,
): FieldControls<Values> {
  const put = (path: string, value: unknown) => {
    if (!isLocked) setValues((current) => withValueAt(current, path, value));
  };
  const textAt = (path: string) => {
    const value = valueAt(values, path);
    return typeof value === 'string' ? value : '';
  };
  const common = (path: string) => ({ name: path, error: errors.get(path) });
  return {
    set: put,
    errorAt: (path) => errors.get(path),
    text: (path) => ({
      ...common(path),
      value: textAt(path),
      readOnly: isLocked,
      onChange: (event) => put(path, event.target.value),
    }),
    number: (path) => ({
      ...common(path),
      value: textAt(path),
      readOnly: isLocked,
      onValueChange: (text) => put(path, text),
    }),
    flag: (path) => ({
      name: path,
      checked: valueAt(values, path) === true,
      busy: isLocked,
      onCheckedChange: (checked) => put(path, checked),
    }),
    choice: <Path extends PathOf<Values, string>>(path: Path) => ({
      ...common(path),
      // The path says that a string of this type is there, which valueAt cannot know.
      value: textAt(path) as FieldValue<Values, Path> & string,
      // A select knows no readOnly.
      'aria-disabled': isLocked || undefined,
      onValueChange: (value: string) => put(path, value),
    }),
  };
}
