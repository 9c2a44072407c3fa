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
    onChange: (event: ChangeEvent<TextElement>) => void;
  };
  /** NumberField: the text as typed. Read it with parseNumber in `toBody`. */
  number: (path: PathOf<Values, string>) => {
    name: string;
    value: string;
    error: string | undefined;
    onValueChange: (text: string) => void;
  };
  /** Switch, Checkbox. */
  flag: (path: PathOf<Values, boolean>) => {
    name: string;
    checked: boolean;
    onCheckedChange: (checked: boolean) => void;
  };
  /** For a Select. */
  choice: <Path extends PathOf<Values, string>>(
    path: Path,
  ) => {
    name: string;
    value: FieldValue<Values, Path> & string;
    error: string | undefined;
    onValueChange: (value: FieldValue<Values, Path> & string) => void;
  };
}

export function fieldControls<Values extends object>(
  values: Values,
  setValues: Dispatch<SetStateAction<Values>>,
  errors: ReadonlyMap<string, string>,
): FieldControls<Values> {
  const put = (path: string, value: unknown) =>
    setValues((current) => withValueAt(current, path, value));
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
      onChange: (event) => put(path, event.target.value),
    }),
    number: (path) => ({
      ...common(path),
      value: textAt(path),
      onValueChange: (text) => put(path, text),
    }),
    flag: (path) => ({
      name: path,
      checked: valueAt(values, path) === true,
      onCheckedChange: (checked) => put(path, checked),
    }),
    choice: <Path extends PathOf<Values, string>>(path: Path) => ({
      ...common(path),
      // The path says that a string of this type is there, which valueAt cannot know.
      value: textAt(path) as FieldValue<Values, Path> & string,
      onValueChange: (value: string) => put(path, value),
    }),
  };
}
