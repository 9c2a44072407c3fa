import { LoadingNote } from '../../components/LoadingNote.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

/** What every post has, in the order of the specification. */
const LABELS = [
  'Status',
  'Post ID',
  'User',
  'Scheduled At',
  'Created At',
  'Updated At',
  'Executed At',
  'AT URI',
  'Error Message',
];
const CHOICES = 5;

/** The boxes of a post before it is there, headed as they will be. */
export function PostSkeleton() {
  return (
    <>
      <LoadingNote />
      <div className="grid items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Card as="div">
          <CardHeader title="Post" />
          <div className="flex flex-col gap-4 px-5 pb-5">
            <div className="flex items-center gap-3">
              <Skeleton width="2.5rem" height="2.5rem" round />
              <Skeleton width="12rem" />
            </div>
            <Skeleton width="90%" />
            <Skeleton width="75%" />
          </div>
        </Card>
        <div className="flex flex-col gap-4">
          <Card as="div">
            <CardHeader title="Information" />
            <CardBody>
              <DescriptionList minColumn="11rem">
                {LABELS.map((label) => (
                  <DescriptionItem key={label} label={label}>
                    <Skeleton width="9rem" />
                  </DescriptionItem>
                ))}
              </DescriptionList>
            </CardBody>
          </Card>
          <Card as="div">
            <CardHeader title="Change Status" description={<Skeleton width="11rem" />} />
            <CardBody className="grid gap-2 @3xs:grid-cols-2">
              {Array.from({ length: CHOICES }, (_, index) => (
                // They have no identity of their own and never move.
                // oxlint-disable-next-line react/no-array-index-key
                <Skeleton key={index} height="var(--control-height)" />
              ))}
            </CardBody>
          </Card>
        </div>
      </div>
    </>
  );
}
