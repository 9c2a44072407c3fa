import { useRef, useState } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardFooter } from '../../ui/CardFooter.tsx';
import { Table } from '../../ui/Table.tsx';
import { Td } from '../../ui/Td.tsx';
import { Th } from '../../ui/Th.tsx';
import { planDifferences } from './plan-differences.ts';
import type { PlanValues } from './plan-values.ts';

interface PlanConflictProps {
  /** What the server said. */
  message: string;
  mine: PlanValues;
  theirs: PlanValues;
  /** From now on saving replaces the other version. */
  onKeepMine: () => void;
  onLoadTheirs: () => void;
}

/** Somebody else saved first: nothing typed is lost, and both versions can be read side by side. */
export function PlanConflict({
  message,
  mine,
  theirs,
  onKeepMine,
  onLoadTheirs,
}: PlanConflictProps) {
  const [isKept, setKept] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const differences = planDifferences(mine, theirs);

  function keepMine() {
    onKeepMine();
    setKept(true);
    // The pressed button goes: the words that take its place are where to read on.
    card.current?.focus();
  }

  return (
    <div ref={card} tabIndex={-1}>
      <Card aria-label="Conflicting versions">
        <Alert tone={isKept ? 'blue' : 'amber'} live="alert" className="m-4">
          {isKept ? 'Your version stays. Update now replaces theirs.' : message}
        </Alert>
        <p className="mx-5 mb-3 text-base text-muted">
          {differences.length === 0
            ? 'Both versions say the same.'
            : 'What you typed is still in the form. This is where the two versions differ:'}
        </p>
        {differences.length > 0 && (
          <Table label="Differences">
            <thead>
              <tr>
                <Th>Field</Th>
                <Th>Yours</Th>
                <Th>Theirs</Th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ path, label, mine: my, theirs: their }) => (
                <tr key={path}>
                  <Td label="Field">{label}</Td>
                  <Td label="Yours" className="wrap-anywhere whitespace-pre-line">
                    {my}
                  </Td>
                  <Td label="Theirs" className="wrap-anywhere whitespace-pre-line">
                    {their}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <CardFooter>
          {!isKept && <Button onClick={keepMine}>Keep mine</Button>}
          <Button onClick={onLoadTheirs}>Load theirs</Button>
        </CardFooter>
      </Card>
    </div>
  );
}
