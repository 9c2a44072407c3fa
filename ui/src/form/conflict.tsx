import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Alert } from '../Alert.tsx';
import { Button } from '../Button.tsx';
import { Card } from '../Card.tsx';
import { Table, Td, Th } from '../Table.tsx';
import { isConflict, isNotFound } from '../api/errors.ts';
import { UnknownOutcomeError } from '../api/outcome.ts';
import { type FailableQuery, LoadError } from '../failures.tsx';
import { NOTHING } from '../format.ts';
import { changedPaths, mergeChanges, valueAt } from './field-path.ts';
import type { BodyOf, BodySchema, LabelOf } from './issues.ts';
import { type FormOptions, useForm } from './use-form.ts';

/** The condition under which a change is made. A server that keeps no versions is asked without. */
export function ifMatch({ version }: { version: number }): { 'If-Match': string } | undefined {
  return version > 0 ? { 'If-Match': `"v${version}"` } : undefined;
}

/** An edit form starts from a version of the entity, and perhaps from changes on top of it. */
interface EditStart<Entity, Values> {
  entity: Entity;
  values?: Values | undefined;
  /** The changes are to be sent without being asked for again. */
  isSentAtOnce?: boolean | undefined;
}

export interface Edit<Entity, Values> {
  start: EditStart<Entity, Values>;
  startOver: (next: EditStart<Entity, Values>) => void;
}

interface EditFrameProps<Entity, Values> {
  query: FailableQuery;
  entity: Entity | undefined;
  /** False while something else that the form needs is on its way. */
  isReady?: boolean | undefined;
  /** Give the form its version as key. */
  children: (edit: Edit<Entity, Values>) => ReactNode;
  skeleton: ReactNode;
  /** Stands in a card where the server does not know the entity. */
  missing: ReactNode;
  failed: string;
  className?: string | undefined;
}

/**
 * Shows the form of the first version that is not just being fetched again, until another one is
 * chosen: a refetch in the background never touches what someone typed.
 */
export function EditFrame<Entity, Values>({
  query,
  entity,
  isReady = true,
  children,
  skeleton,
  missing,
  failed,
  className,
}: EditFrameProps<Entity, Values>) {
  const [start, setStart] = useState<EditStart<Entity, Values>>();
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  if (start === undefined && entity !== undefined && !query.isFetching) setStart({ entity });

  function startOver(next: EditStart<Entity, Values>) {
    setStart(next);
    // The pressed button goes with the old form: reading starts at the new one.
    box?.focus();
  }

  if (start !== undefined && isReady) {
    return (
      <div ref={setBox} tabIndex={-1} className={className}>
        {children({ start, startOver })}
      </div>
    );
  }
  if (query.error === null) return skeleton;
  if (isNotFound(query.error)) return <Card as="div">{missing}</Card>;
  return <LoadError query={query} failed={failed} />;
}

interface EditFormOptions<Entity, Values extends object, S extends BodySchema>
  extends
    ConflictOptions<Entity, Values>,
    Omit<FormOptions<Values, S>, 'defaults' | 'initial' | 'keepsDraft' | 'submit'> {
  /** 'plan' */
  noun: string;
  labelOf: LabelOf;
  send: (body: BodyOf<S>) => Promise<unknown>;
  /** The message when it was saved, and the page that follows at once. */
  saved: (body: BodyOf<S>) => { message: string; to: string };
}

/** The state of an edit form, and the panel for a conflict with another administrator. */
export function useEditForm<
  Entity extends { version: number },
  Values extends object,
  S extends BodySchema,
>({
  edit,
  valuesOf,
  readLatest,
  noun,
  labelOf,
  send,
  saved,
  ...options
}: EditFormOptions<Entity, Values, S>) {
  const { values, isSentAtOnce = false } = edit.start;
  const { first, rival, save } = useConflict({ edit, valuesOf, readLatest });
  const form = useForm({
    ...options,
    labelOf,
    defaults: first,
    initial: values,
    keepsDraft: true,
    submit: async (body, values) =>
      (await save(values, () => send(body))) ? { ...saved(body), afterMs: 0 } : undefined,
  });
  const isSent = useRef(false);
  const { onSubmit } = form.shell;

  // Sending belongs to the press that chose it, but needs the form that press brings about.
  useEffect(() => {
    if (!isSentAtOnce || isSent.current) return;
    isSent.current = true;
    onSubmit();
  }, [isSentAtOnce, onSubmit]);

  const conflict = rival && (
    <ConflictPanel noun={noun} rival={rival} mine={form.values} labelOf={labelOf} />
  );
  return { form, conflict };
}

interface ConflictOptions<Entity, Values> {
  edit: Edit<Entity, Values>;
  readLatest: () => Promise<Entity>;
  valuesOf: (entity: Entity) => Values;
}

/** What another administrator saved meanwhile, and the two ways on. */
interface Rival<Values extends object> {
  first: Values;
  theirs: Values;
  /** Counts the attempts that met it: each leads the focus to it. */
  attempts: number;
  keep: (mine: Values) => void;
  load: () => void;
}

/** Another administrator may save first: `save` is then false, and their version the rival. */
function useConflict<Entity extends { version: number }, Values extends object>({
  edit,
  readLatest,
  valuesOf,
}: ConflictOptions<Entity, Values>) {
  const [first] = useState(() => valuesOf(edit.start.entity));
  const [met, setMet] = useState<{ entity: Entity; attempts: number }>();

  /** After a lost response: whether the server has these very values by now, and had others before. */
  async function isSaved(values: Values): Promise<boolean> {
    if (changedPaths(first, values).length === 0) return false;
    const latest = await readLatest().catch(() => undefined);
    return latest !== undefined && changedPaths(valuesOf(latest), values).length === 0;
  }

  async function save(values: Values, send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      return true;
    } catch (error) {
      if (error instanceof UnknownOutcomeError && (await isSaved(values))) return true;
      if (!isConflict(error)) throw error;
      const entity = await readLatest().catch(() => undefined);
      // Without versions the condition that failed is the server's own: only it can say which.
      if (entity === undefined || entity.version === 0) throw error;
      setMet((last) => ({ entity, attempts: (last?.attempts ?? 0) + 1 }));
      return false;
    }
  }

  function rivalOf({ entity, attempts }: NonNullable<typeof met>): Rival<Values> {
    const theirs = valuesOf(entity);
    return {
      first,
      theirs,
      attempts,
      keep: (mine) =>
        edit.startOver({ entity, values: mergeChanges(first, mine, theirs), isSentAtOnce: true }),
      load: () => edit.startOver({ entity }),
    };
  }

  return { first, save, rival: met && rivalOf(met) };
}

interface ConflictPanelProps<Values extends object> {
  noun: string;
  rival: Rival<Values>;
  mine: Values;
  labelOf: LabelOf;
}

/** Another administrator saved first: both versions side by side, and nothing typed is lost. */
function ConflictPanel<Values extends object>({
  noun,
  rival: { first, theirs, attempts, keep, load },
  mine,
  labelOf,
}: ConflictPanelProps<Values>) {
  const panel = useRef<HTMLElement>(null);

  useEffect(() => {
    if (attempts === 0) return;
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'start' });
  }, [attempts]);

  return (
    <section ref={panel} tabIndex={-1} aria-label="Conflicting versions" className="scroll-mt-4">
      <Card as="div">
        <Alert tone="amber" live="alert" className="m-5 mb-4">
          Someone else changed this {noun} while you were editing it. Keep mine saves your changes
          on top of their version. Load theirs discards your changes.
        </Alert>
        <div className="mx-5 mb-5 flex flex-wrap gap-2">
          <Button onClick={() => keep(mine)}>Keep mine</Button>
          <Button onClick={load}>Load theirs</Button>
        </div>
        <ChangesTable
          title="They changed"
          paths={changedPaths(first, theirs)}
          columns={{ Before: first, Theirs: theirs }}
          labelOf={labelOf}
        />
        <ChangesTable
          title="You changed"
          paths={changedPaths(first, mine)}
          columns={{ Theirs: theirs, Yours: mine }}
          labelOf={labelOf}
        />
      </Card>
    </section>
  );
}

interface ChangesTableProps {
  title: string;
  paths: readonly string[];
  columns: Readonly<Record<string, object>>;
  labelOf: LabelOf;
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' && value.trim() !== '' ? value : NOTHING;
}

function ChangesTable({ title, paths, columns, labelOf }: ChangesTableProps) {
  const id = useId();
  const headers = Object.keys(columns);
  return (
    <section aria-labelledby={id} className="mb-4">
      <h3 id={id} className="mx-5 text-base font-semibold">
        {title}
      </h3>
      {paths.length === 0 ? (
        <p className="mx-5 text-base text-muted">Nothing shown in this form.</p>
      ) : (
        <Table label={title}>
          <thead>
            <tr>
              <Th>Field</Th>
              {headers.map((header) => (
                <Th key={header}>{header}</Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {paths.map((path) => (
              <tr key={path}>
                <Td label="Field">{labelOf(path)}</Td>
                {headers.map((header) => (
                  <Td key={header} label={header} className="wrap-anywhere whitespace-pre-line">
                    {textOf(valueAt(columns[header], path))}
                  </Td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
