import { type ChangeEvent, type Dispatch, type SetStateAction, useRef, useState } from 'react';
import type { Issue } from '@meridian/contract/validation';
import { ApiError, messageOf } from '../api/errors.ts';
import { showToast } from '../toasts.ts';
import { useDraft, useRestored } from './drafts.ts';
import {
  changedPaths,
  type FieldPath,
  type FieldValue,
  type PathOf,
  valueAt,
  withValueAt,
} from './field-path.ts';
import {
  type BodyDraft,
  type BodyOf,
  type BodySchema,
  judge,
  type LabelOf,
  placeIssues,
} from './issues.ts';
import { useFailureElsewhere } from '../api/outcome.ts';

interface FormSuccess {
  message: string;
  /** The address that the form then leads to, after two seconds unless told otherwise. */
  to?: string | undefined;
  afterMs?: number | undefined;
}

export interface FormOptions<Values extends object, S extends BodySchema> {
  /** The first values. Later changes are ignored, so that typed text is never lost. */
  defaults: Values;
  /** The values at the start, where something was changed already. */
  initial?: Values | undefined;
  /** Survives the end of the session. Not for secrets. */
  keepsDraft?: boolean | undefined;
  /** The body of the call, as the contract has it. The sign-in does without: it loads no schema. */
  schema?: S | undefined;
  /** `first` is what the fields started with. */
  toBody: (values: Values, first: Values) => BodyDraft<S>;
  ownIssues?: ((values: Values) => readonly Issue[]) | undefined;
  /** The name of a field in sentences that no other part of the form has words for. */
  labelOf?: LabelOf | undefined;
  /** Refusals that concern one field, by their code: `{ plan_name_taken: 'name' }`. */
  fieldOfCode?: Readonly<Record<string, FieldPath<Values>>> | undefined;
  submit: (body: BodyOf<S>, values: Values) => Promise<FormSuccess | undefined>;
  failed: string;
}

export interface FormState {
  loading: boolean;
  submitError: string | undefined;
  refusal: unknown;
  fieldErrors: readonly string[];
  changes: number;
  isRestored: boolean;
  success: (FormSuccess & { toastId: number }) | undefined;
  /** Counts the failed attempts: each leads the focus to the first field to correct. */
  failures: number;
  onSubmit: () => void;
}

export interface Form<Values extends object> extends FieldControls<Values> {
  values: Values;
  shell: FormState;
}

export function useForm<Values extends object, S extends BodySchema>(
  options: FormOptions<Values, S>,
): Form<Values> {
  const { defaults, initial, keepsDraft = false, schema, toBody, ownIssues, labelOf } = options;
  const { fieldOfCode = {}, submit, failed } = options;
  // Fields, attempt, and outcome are one state machine: idle, at work, refused or done.
  const [first] = useState(defaults);
  const restored = useRestored(defaults, keepsDraft && initial === undefined);
  const [values, setValues] = useState(initial ?? restored.initial);
  const [failures, setFailures] = useState(0);
  const [loading, setLoading] = useState(false);
  const [refusal, setRefusal] = useState<{ error: unknown; values: Values }>();
  const [success, setSuccess] = useState<FormState['success']>();
  // Set at once, unlike state: the second click of a double click comes before any render.
  const isRunning = useRef(false);
  const tellElsewhere = useFailureElsewhere(failed);

  const validity = judge(schema, toBody(values, first), ownIssues?.(values));
  const refused = issuesOfRefusal(refusal?.error, fieldOfCode);
  // A field that was changed since is no longer refused.
  const standing = refused.filter(
    ({ path }) => valueAt(values, path) === valueAt(refusal?.values, path),
  );
  const shown = failures > 0 ? [...validity.issues, ...standing] : [];
  const { atFields, elsewhere } = placeIssues(shown, values, labelOf);
  const changes = changedPaths(first, values).length;
  useDraft(first, values, keepsDraft && changes > 0 && success === undefined);

  async function run() {
    if (isRunning.current || success !== undefined) return;
    setRefusal(undefined);
    if (!validity.isValid) {
      setFailures((count) => count + 1);
      return;
    }
    isRunning.current = true;
    setLoading(true);
    try {
      const outcome = await submit(validity.body, values).catch(tellElsewhere);
      if (outcome !== undefined) {
        // The session may have ended meanwhile: what is saved must not come back as unsaved.
        restored.forget();
        setSuccess({ ...outcome, toastId: showToast({ message: outcome.message }) });
      }
    } catch (error) {
      setRefusal({ error, values });
      setFailures((count) => count + 1);
    } finally {
      isRunning.current = false;
      setLoading(false);
    }
  }

  // One failure, one surface: what stands at its field is not said again at the foot.
  const isPlaced = refused.length > 0 && placeIssues(refused, values).elsewhere.length === 0;
  const message = refusal === undefined || isPlaced ? '' : messageOf(refusal.error, failed);
  return {
    values,
    // Once saved, the form is left: what it took meanwhile would be lost without a word.
    ...fieldControls(values, setValues, atFields, loading),
    shell: {
      loading,
      submitError: [message || elsewhere.join(' ')].find((words) => words !== ''),
      refusal: refusal?.error,
      fieldErrors: [...atFields.values()],
      changes,
      isRestored: restored.isRestored,
      success,
      failures,
      onSubmit: () => void run(),
    },
  };
}

function issuesOfRefusal(
  error: unknown,
  fieldOfCode: Readonly<Record<string, string>>,
): readonly Issue[] {
  if (!(error instanceof ApiError)) return [];
  const path = fieldOfCode[error.code ?? ''];
  return path === undefined ? error.issues : [{ path, message: error.message }];
}

interface TextControl {
  name: string;
  value: string;
  error: string | undefined;
  readOnly: boolean;
}

/** Props for the kit's fields, by the path of the value: `<TextField {...form.text('name')} />`. */
export interface FieldControls<Values extends object> {
  set: <Path extends FieldPath<Values>>(path: Path, value: FieldValue<Values, Path>) => void;
  errorAt: (path: string) => string | undefined;
  text: (path: PathOf<Values, string>) => TextControl & {
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  };
  number: (path: PathOf<Values, string>) => TextControl & {
    onValueChange: (text: string) => void;
  };
  flag: (path: PathOf<Values, boolean>) => {
    name: string;
    checked: boolean;
    busy: boolean;
    onCheckedChange: (checked: boolean) => void;
  };
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
  const written = (path: string) => ({
    ...common(path),
    value: textAt(path),
    readOnly: isLocked,
  });
  return {
    set: put,
    errorAt: (path) => errors.get(path),
    text: (path) => ({
      ...written(path),
      onChange: (event) => put(path, event.target.value),
    }),
    number: (path) => ({ ...written(path), onValueChange: (text) => put(path, text) }),
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
