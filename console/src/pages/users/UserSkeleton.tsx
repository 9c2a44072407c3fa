import { LoadingNote } from '../../components/LoadingNote.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { AssignmentSkeleton } from './AssignmentSkeleton.tsx';
import { UserColumns } from './UserColumns.tsx';

const PROFILE = [
  ['Avatar', '1.875rem'],
  ['Name', '9rem'],
  ['Handle', '10rem'],
  ['DID', '14rem'],
  ['Created', '9rem'],
  ['Updated', '9rem'],
  ['Access Keyword', '2rem'],
  ['Active', '2rem'],
] as const;
const BUTTONS = ['Active', 'Restricted', 'Suspended', 'Blocked'] as const;

function Button() {
  return <Skeleton height="var(--control-height)" className="rounded" />;
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
      <UserColumns
        side={
          <>
            <Card as="div">
              <CardHeader title="Profile" />
              <CardBody>
                <DescriptionList minColumn="100%" dense>
                  {PROFILE.map(([label, width]) => (
                    <DescriptionItem key={label} inline label={label}>
                      {label === 'Avatar' ? (
                        <Skeleton round width={width} height={width} />
                      ) : (
                        <Skeleton width={width} />
                      )}
                    </DescriptionItem>
                  ))}
                </DescriptionList>
              </CardBody>
            </Card>
            <Card as="div">
              <CardHeader title="User Management" description={<Skeleton width="12rem" />} />
              <CardBody className="flex flex-col gap-4">
                <div className="grid gap-2 @3xs:grid-cols-2">
                  {BUTTONS.map((status) => (
                    <Button key={status} />
                  ))}
                </div>
                <hr className="border-border" />
                <Button />
              </CardBody>
            </Card>
          </>
        }
        main={
          <Card as="div">
            <CardHeader title="Plan Assignments" />
            <CardBody>
              <AssignmentSkeleton />
            </CardBody>
          </Card>
        }
      />
    </>
  );
}
