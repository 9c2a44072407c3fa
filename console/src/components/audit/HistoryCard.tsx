import { Suspense, useId, useState } from 'react';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { lazyPart } from '../lazy-part.tsx';
import { LoadingNote } from '../LoadingNote.tsx';
import type { HistoryProps } from './HistoryEntries.tsx';

const HistoryEntries = lazyPart(async () => (await import('./HistoryEntries.tsx')).HistoryEntries);

/** What administrators did to one thing; read, and its code loaded, when it is opened. */
export function HistoryCard(props: HistoryProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsMeridian()) return null;
  return (
    <Card aria-labelledby={`${id}-title`}>
      <CardHeader
        title="History"
        titleId={`${id}-title`}
        description="Who changed what, and why"
        className={isOpen ? undefined : 'pb-4!'}
        actions={
          <Button
            aria-expanded={isOpen}
            aria-controls={`${id}-entries`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide History' : 'Show History'}
          </Button>
        }
      />
      <div id={`${id}-entries`}>
        {isOpen && (
          <Suspense fallback={<LoadingNote />}>
            <HistoryEntries {...props} />
          </Suspense>
        )}
      </div>
    </Card>
  );
}
