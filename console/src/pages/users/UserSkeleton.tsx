import { LoadingNote } from '../../components/LoadingNote.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';

function SkeletonCard({ title, height }: { title: string; height: string }) {
  return (
    <Card as="div">
      <CardHeader title={title} />
      <CardBody>
        <Skeleton height={height} />
      </CardBody>
    </Card>
  );
}

/** The page's boxes, before it is known what they hold. */
export function UserSkeleton() {
  return (
    <>
      <PageTitle
        back={<BackLink to={paths.users}>Back to Users</BackLink>}
        media={<Skeleton round width="3.5rem" height="3.5rem" />}
        tabTitle="User"
        title={
          <>
            <VisuallyHidden>User</VisuallyHidden>
            <Skeleton width="14rem" />
          </>
        }
        context={<Skeleton width="20rem" />}
      />
      <LoadingNote />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20.5rem]">
        <div className="grid gap-4 md:grid-cols-2 xl:col-start-2 xl:grid-cols-1">
          <SkeletonCard title="Profile" height="6rem" />
          <SkeletonCard title="User Management" height="9.75rem" />
        </div>
        <div className="xl:col-start-1 xl:row-start-1">
          <SkeletonCard title="Plan Assignments" height="12rem" />
        </div>
      </div>
    </>
  );
}
