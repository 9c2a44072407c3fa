import { type Delivery, DELIVERY_MESSAGES, type deliveryGet } from '@meridian/contract/engine';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { DeliveryAttempts } from './DeliveryAttempts.tsx';
import { DeliveryFacts } from './DeliveryFacts.tsx';
import { DeliveryTimeline } from './DeliveryTimeline.tsx';

interface DeliveryCardProps {
  query: EndpointQuery<typeof deliveryGet>;
}

/** How the post was or will be delivered: when, after how many attempts, and what it waits for. */
export function DeliveryCard({ query }: DeliveryCardProps) {
  return (
    <Card aria-labelledby="post-delivery">
      <CardHeader title="Delivery" titleId="post-delivery" />
      <LoadError className="mx-5 mb-5" query={query} failed={DELIVERY_MESSAGES.loadFailed} />
      {query.data !== undefined && <DeliveryBody delivery={query.data.delivery} />}
    </Card>
  );
}

function DeliveryBody({ delivery }: { delivery: Delivery }) {
  const { hold, cause, attempts } = delivery;
  return (
    <>
      <CardBody className="flex flex-col gap-5">
        <DeliveryTimeline delivery={delivery} />
        {hold !== null && (
          <Alert tone="amber" live="none" title="On hold">
            <SafeText>{hold.sentence}</SafeText>
          </Alert>
        )}
        {cause !== null && (
          <Alert tone={delivery.confirmedAt === null ? 'red' : 'amber'} live="none" title="Cause">
            <SafeText>{cause.sentence}</SafeText>
            {cause.advice !== null && (
              <span className="mt-1 block text-text">
                <SafeText>{cause.advice}</SafeText>
              </span>
            )}
          </Alert>
        )}
        <DeliveryFacts delivery={delivery} />
      </CardBody>
      {attempts.length > 0 && <DeliveryAttempts attempts={attempts} />}
    </>
  );
}
