import { useEffect, useRef } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { changedPaths } from './changes.ts';
import { ChangesTable } from './ChangesTable.tsx';
import type { LabelOf } from './issues.ts';
import type { Rival } from './use-conflict.ts';

interface ConflictPanelProps<Values extends object> {
  /** 'plan' */
  noun: string;
  rival: Rival<Values>;
  /** What the form holds now. */
  mine: Values;
  labelOf: LabelOf;
}

/** Another administrator saved first: both versions side by side, and nothing typed is lost. */
export function ConflictPanel<Values extends object>({
  noun,
  rival: { first, theirs, attempts, keep, load },
  mine,
  labelOf,
}: ConflictPanelProps<Values>) {
  const panel = useRef<HTMLElement>(null);

  // Focus and scrolling are the browser's.
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
          labelOf={labelOf}
          columns={[
            { header: 'Before', values: first },
            { header: 'Theirs', values: theirs },
          ]}
        />
        <ChangesTable
          title="You changed"
          paths={changedPaths(first, mine)}
          labelOf={labelOf}
          columns={[
            { header: 'Theirs', values: theirs },
            { header: 'Yours', values: mine },
          ]}
        />
      </Card>
    </section>
  );
}
