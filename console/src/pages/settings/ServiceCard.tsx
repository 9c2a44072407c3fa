import { SETTINGS_MESSAGES, type settingsGet } from '@meridian/contract/settings';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardFooter } from '../../ui/CardFooter.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { SERVICE_FLAGS } from './service-flags.ts';
import { ServiceSwitch } from './ServiceSwitch.tsx';
import { ServiceSwitchSkeleton } from './ServiceSwitchSkeleton.tsx';
import { SuspensionNote } from './SuspensionNote.tsx';

interface ServiceCardProps {
  query: EndpointQuery<typeof settingsGet>;
}

export function ServiceCard({ query }: ServiceCardProps) {
  const { data, error } = query;
  return (
    <Card aria-labelledby="service">
      <CardHeader
        title="Service"
        titleId="service"
        description="These affect every user. You'll be asked to confirm."
      />
      <CardBody className="flex flex-col gap-5 pt-1">
        <LoadError query={query} failed={SETTINGS_MESSAGES.loadFailed} />
        {(data !== undefined || error === null) &&
          SERVICE_FLAGS.map((flag) =>
            data === undefined ? (
              <ServiceSwitchSkeleton key={flag.name} flag={flag} />
            ) : (
              <ServiceSwitch key={flag.name} flag={flag} settings={data} />
            ),
          )}
        {data?.is_service_suspended === true && <SuspensionNote settings={data} />}
      </CardBody>
      {(data !== undefined || error === null) && (
        <CardFooter className="text-sm text-muted">
          <span>Last updated</span>
          {data === undefined ? <Skeleton width="8rem" /> : <Time value={data.updated_at} />}
        </CardFooter>
      )}
    </Card>
  );
}
