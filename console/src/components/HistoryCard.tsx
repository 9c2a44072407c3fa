import { Suspense, useId, useState } from 'react';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { lazyPart } from '@meridian/ui/failures.tsx';
import { LoadingNote } from '@meridian/ui/placeholders.tsx';
import type { HistoryProps } from './audit-entries.tsx';

const HistoryEntries = lazyPart(async () => (await import('./audit-entries.tsx')).HistoryEntries);

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
