import { LoadingNote } from '../../components/LoadingNote.tsx';
import { Card } from '../../ui/Card.tsx';

/** The boxes of the form, before it is known what they hold. */
export function PlanFormSkeleton() {
  return (
    <>
      <LoadingNote />
      <div className="flex max-w-3xl flex-col gap-4">
        <Card as="div" className="h-80" />
        <Card as="div" className="h-110" />
        <Card as="div" className="h-48" />
        <Card as="div" className="h-96" />
      </div>
    </>
  );
}
