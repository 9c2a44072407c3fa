import { OVERVIEW_COUNT_MAX, type Visit } from '@meridian/contract/overview';
import { CountLink } from '../../components/CountLink.tsx';
import { countWithCeiling } from '../../components/engine/count-words.ts';
import { postListAt } from '../../components/post-list-address.ts';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';

const SETTINGS: Readonly<Record<string, string>> = {
  is_closed_beta: 'Closed beta',
  is_service_suspended: 'Service suspension',
  expected_end_at: 'Expected end',
  notice_for_people: 'Notice for users',
};

/** Never three: the fourth would stand alone. */
const TWO_BY_TWO = 'max(6.75rem, 34%)';

/** 'Closed beta on' */
function changeText([name, value]: [string, unknown]): string {
  const state = typeof value === 'boolean' ? (value ? 'on' : 'off') : 'changed';
  return `${SETTINGS[name] ?? name} ${state}`;
}

/** What happened since the administrator was here last. */
export function VisitCard({ visit }: { visit: Visit | null }) {
  const { since = '', to = '', settings = [] } = visit ?? {};
  const counts: [string, number | undefined, string | undefined][] = [
    // The newest come first in it.
    ['New people', visit?.people, paths.users],
    ['Published', visit?.published, postListAt({ status: 'COMPLETED', from: since, to })],
    ['Failed', visit?.failed, postListAt({ failedFrom: since, failedTo: to })],
    ['Tickets redeemed', visit?.redeemed, paths.tickets],
  ];
  return (
    <Card aria-labelledby="visit">
      <CardHeader
        level={3}
        title="Since your last visit"
        titleId="visit"
        description={visit === null ? 'This is your first visit.' : <Time value={since} />}
      />
      {visit !== null && (
        <CardBody>
          <DescriptionList minColumn={TWO_BY_TWO}>
            {counts.map(([label, count = 0, list]) => {
              const number = countWithCeiling(count, OVERVIEW_COUNT_MAX);
              return (
                <DescriptionItem key={label} label={label}>
                  <CountLink to={list} label={`${label}: ${number}`}>
                    {number}
                  </CountLink>
                </DescriptionItem>
              );
            })}
            <DescriptionItem label="Settings changed" wide>
              {settings.length === 0 && 'No'}
              {settings.map(({ at, by, changes }) => (
                <p key={at}>
                  <CountLink to={paths.settings}>
                    {Object.entries(changes).map(changeText).join(', ')}
                  </CountLink>{' '}
                  by <SafeText>{by}</SafeText>, <Time value={at} />
                </p>
              ))}
            </DescriptionItem>
          </DescriptionList>
        </CardBody>
      )}
    </Card>
  );
}
