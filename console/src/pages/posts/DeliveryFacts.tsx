import type { Delivery } from '@meridian/contract/engine';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';

const OUTCOMES: Readonly<Record<string, string>> = {
  published: 'Published',
  already: 'Published by an earlier attempt',
  altered: 'Another version is published',
  refused: 'Refused by the host',
  unknown: 'Sent, but never confirmed',
};

/** Where the post went and under which keys; one set of keys per post of a thread. */
export function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const { host, outcome, claims, nextLookAt, records } = delivery;
  if (host === null && outcome === null && nextLookAt === null) return null;
  return (
    <DescriptionList minColumn="11rem">
      {outcome !== null && (
        <DescriptionItem label="Outcome">{OUTCOMES[outcome] ?? outcome}</DescriptionItem>
      )}
      {host !== null && (
        <DescriptionItem label="Host">
          <SafeText>{host}</SafeText>
        </DescriptionItem>
      )}
      {claims > 0 && <DescriptionItem label="Attempts">{formatNumber(claims)}</DescriptionItem>}
      {nextLookAt !== null && (
        <DescriptionItem label="Next attempt">
          <Time value={nextLookAt} />
        </DescriptionItem>
      )}
      {records.map(({ rkey, uri, cid }, index) => (
        <DescriptionItem key={rkey} label={recordLabel(index, records.length)} wide>
          <Mono value={uri} copyLabel="Copy record address" />
          <span className="mt-1 block text-sm text-muted">
            CID <Mono value={cid} copyLabel="Copy CID" />
          </span>
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}

function recordLabel(index: number, count: number): string {
  return count === 1 ? 'Record' : `Record ${index + 1} of ${count}`;
}
