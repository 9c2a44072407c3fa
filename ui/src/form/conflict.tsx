import { useEffect, useId, useRef, useState } from 'react';
import { Alert } from '../Alert.tsx';
import { Button } from '../Button.tsx';
import { Card } from '../Card.tsx';
import { Table, Td, Th } from '../Table.tsx';
import { isConflict } from '../api/errors.ts';
import { NOTHING } from '../format.ts';
import { changedPaths, mergeChanges, valueAt } from './field-path.ts';
import type { LabelOf } from './issues.ts';
import { UnknownOutcomeError } from '../api/outcome.ts';

/** The condition under which a change is made. A server that keeps no versions is asked without. */
export function ifMatch({ version }: { version: number }): { 'If-Match': string } | undefined {
  return version > 0 ? { 'If-Match': `"v${version}"` } : undefined;
}

interface ConflictOptions<Entity, Values extends object> {
  first: Values;
  readLatest: () => Promise<Entity>;
  valuesOf: (entity: Entity) => Values;
  onStartOver: (start: EditStart<Entity, Values>) => void;
}

interface Rival<Values extends object> {
  first: Values;
  theirs: Values;
  /** Counts the attempts that met it: each leads the focus to it. */
  attempts: number;
  keep: (mine: Values) => void;
  load: () => void;
}

/** Another administrator may save first: `save` is then false, and their version the rival. */
export function useConflict<Entity extends { version: number }, Values extends object>({
  first,
  readLatest,
  valuesOf,
  onStartOver,
}: ConflictOptions<Entity, Values>) {
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

  if (met === undefined) return { save, rival: undefined };
  const { entity, attempts } = met;
  const theirs = valuesOf(entity);
  const keep = (mine: Values) =>
    onStartOver({ entity, values: mergeChanges(first, mine, theirs), isSentAtOnce: true });
  const load = () => onStartOver({ entity });
  return { save, rival: { first, theirs, attempts, keep, load } };
}

export interface EditStart<Entity, Values> {
  entity: Entity;
  values?: Values | undefined;
  /** The changes are to be sent without being asked for again. */
  isSentAtOnce?: boolean | undefined;
}

/**
 * The first version that is not just being fetched again, until another one is chosen: a refetch in
 * the background never touches what someone typed. Give the form its version as key, and `box` to
 * the element around it, with tabIndex -1.
 */
export function useEditStart<Entity, Values>(latest: Entity | undefined, isFetching: boolean) {
  const [start, setStart] = useState<EditStart<Entity, Values>>();
  if (start === undefined && latest !== undefined && !isFetching) setStart({ entity: latest });
  const box = useRef<HTMLDivElement>(null);

  function startOver(next: EditStart<Entity, Values>) {
    setStart(next);
    // The pressed button goes with the old form: reading starts at the new one.
    box.current?.focus();
  }

  return { start, startOver, box };
}

export function useSendAtOnce(
  { isSentAtOnce = false }: EditStart<unknown, unknown>,
  send: () => void,
) {
  const isDone = useRef(false);

  useEffect(() => {
    if (!isSentAtOnce || isDone.current) return;
    isDone.current = true;
    send();
  }, [isSentAtOnce, send]);
}

interface ConflictPanelProps<Values extends object> {
  noun: string;
  rival: Rival<Values>;
  mine: Values;
  labelOf: LabelOf;
}

export function ConflictPanel<Values extends object>(props: ConflictPanelProps<Values>) {
  const { noun, rival, mine, labelOf } = props;
  const { first, theirs, attempts, keep, load } = rival;
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
