import { FieldSkeleton } from '../../components/form/FieldSkeleton.tsx';
import { SwitchSkeleton } from '../../components/form/SwitchSkeleton.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PlanFormLayout } from './PlanFormLayout.tsx';

/** The boxes of the form's first screenful, before it is known what they hold. */
export function PlanFormSkeleton() {
  return (
    <PlanFormLayout>
      <LoadingNote />
      <Card as="div" className="mb-4">
        <CardHeader title="Plan" />
        <CardBody className="grid gap-x-4 gap-y-5 @xl:grid-cols-2">
          <FieldSkeleton hint />
          <FieldSkeleton hint />
          <FieldSkeleton hint />
          <div className="flex min-w-0 flex-col gap-4 @xl:col-span-2">
            <SwitchSkeleton />
            <SwitchSkeleton />
          </div>
        </CardBody>
      </Card>
      <Card as="div">
        <CardHeader
          title="Names and descriptions"
          description="English is required. Other languages are optional."
        />
        <CardBody className="flex flex-col gap-4">
          <Skeleton height="var(--control-height)" className="block rounded" />
          <FieldSkeleton />
          <FieldSkeleton height="3.5rem" />
          <FieldSkeleton hint height="6rem" />
        </CardBody>
      </Card>
    </PlanFormLayout>
  );
}
