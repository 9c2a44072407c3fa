import type { User } from '@meridian/contract/users';
import { nameOf } from '../../components/user-name.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';

const yesNo = (value: boolean) => (value ? 'Yes' : 'No');

interface ProfileCardProps {
  user: User;
  /** The avatar, where it can be shown now. */
  src: string | undefined;
}

export function ProfileCard({ user, src }: ProfileCardProps) {
  const { handle, did } = user;
  const name = nameOf(user);
  return (
    <Card aria-labelledby="profile">
      <CardHeader title="Profile" titleId="profile" />
      <CardBody>
        <DescriptionList minColumn="100%" dense>
          <DescriptionItem inline label="Avatar">
            <Avatar src={src} name={name} />
          </DescriptionItem>
          <DescriptionItem inline label="Name">
            <SafeText className="wrap-anywhere">{name}</SafeText>
          </DescriptionItem>
          <DescriptionItem inline label="Handle">
            {handle === '' ? (
              NOTHING
            ) : (
              <span className="wrap-anywhere">
                @<SafeText>{handle}</SafeText>
              </span>
            )}
          </DescriptionItem>
          <DescriptionItem inline label="DID">
            {did === '' ? NOTHING : <Mono value={did} />}
          </DescriptionItem>
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
