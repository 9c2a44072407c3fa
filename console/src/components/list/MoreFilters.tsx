import { SlidersHorizontal } from 'lucide-react';
import { type ComponentType, Suspense, useId, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { lazyPart } from '../lazy-part.tsx';

export interface MoreFiltersProps<List> {
  list: List;
  /** Always the same function: its code is loaded when the panel is first opened. */
  load: () => Promise<ComponentType<{ list: List }>>;
}

/** A button in the filter bar, and the further filters it opens below the others. */
export function MoreFilters<List>({ list, load }: MoreFiltersProps<List>) {
  const [isOpen, setOpen] = useState(false);
  const [Panel] = useState(() => lazyPart(load));
  const id = useId();
  return (
    <>
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        icon={<SlidersHorizontal aria-hidden="true" className="size-4" />}
        onClick={() => setOpen(!isOpen)}
      >
        More filters
      </Button>
      {isOpen && (
        <div id={id} className="w-full">
          <Suspense>
            <Panel list={list} />
          </Suspense>
        </div>
      )}
    </>
  );
}
