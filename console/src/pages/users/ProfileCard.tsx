import type { User } from '@meridian/contract/users';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { Time } from '../../ui/Time.tsx';

function yesNo(value: boolean | undefined): string {
  if (value === undefined) return NOTHING;
  return value ? 'Yes' : 'No';
}

export function ProfileCard({ user }: { user: User }) {
  return (
    <Card aria-labelledby="profile">
      <CardHeader title="Profile" titleId="profile" />
      <CardBody>
        <DescriptionList minColumn="100%" dense>
          <DescriptionItem inline label="Created">
            <Time value={user.created_at} />
          </DescriptionItem>
          <DescriptionItem inline label="Updated">
            <Time value={user.updated_at} />
          </DescriptionItem>
          <DescriptionItem inline label="Access Keyword">
            {yesNo(user.has_access_keyword_access)}
          </DescriptionItem>
          <DescriptionItem inline label="Active">
            {yesNo(user.is_active)}
          </DescriptionItem>
        </DescriptionList>
      </CardBody>
    </Card>
  );
}
