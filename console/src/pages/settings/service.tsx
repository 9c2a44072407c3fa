import { useState } from 'react';
import { engineGet } from '@meridian/contract/engine';
import {
  type Settings,
  SETTINGS_MESSAGES,
  settingsGet,
  type SettingsPatchBody,
  settingsUpdate,
} from '@meridian/contract/settings';
import { resumePreview, serviceResume, suspensionUpdate } from '@meridian/contract/suspension';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardFooter, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import type { EndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { Switch } from '@meridian/ui/choices.tsx';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { LoadError } from '@meridian/ui/failures.tsx';
import { ifMatch } from '@meridian/ui/form/conflict.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { Consequence } from '../../components/consequences.tsx';
import { useEngine } from '../../components/figures.tsx';
import {
  ResumeFields,
  type ResumePlan,
  SuspendFields,
  type SuspensionDetails,
} from './suspension.tsx';
import { readOutcome } from '@meridian/ui/api/outcome.ts';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';

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

const CHANGED = [settingsGet, engineGet];

interface ServiceSwitchProps {
  flag: ServiceFlag;
  settings: Settings;
}

/** Moves only after the question was answered and the server has agreed. */
function ServiceSwitch({ flag, settings }: ServiceSwitchProps) {
  const update = useEndpointMutation(settingsUpdate, { invalidates: CHANGED });
  const suspend = useEndpointMutation(suspensionUpdate, { invalidates: CHANGED });
  const resume = useEndpointMutation(serviceResume, { invalidates: [...CHANGED, resumePreview] });
  const isMeridian = useIsMeridian();
  const engine = useEngine();
  const [isReading, setReading] = useState(false);

  async function ask(isOn: boolean) {
    const isSuspension = flag.name === 'is_service_suspended';
    const isResuming = isSuspension && !isOn;
    const headers = ifMatch(settings);
    let details: SuspensionDetails | undefined;
    let plan: ResumePlan | undefined;
    const setPlan = (next: ResumePlan | undefined) => {
      plan = next;
    };
    const { title, body } = isOn ? flag.turnOn : flag.turnOff;
    // The numbers in the question are those of this moment.
    setReading(isResuming && isMeridian);
    const state = isResuming && isMeridian ? (await engine.refetch()).data : undefined;
    setReading(false);
    const isDone = await confirm({
      title,
      body: (
        <>
          <p>{body}</p>
          {isOn && flag.name === 'is_closed_beta' && <Consequence of="closedBeta" />}
        </>
      ),
      danger: isOn,
      busyLabel: 'Saving...',
      takesReason: true,
      fields: isMeridian && (
        <>
          {isSuspension && isOn && <SuspendFields onChange={(next) => (details = next)} />}
          {state !== undefined && <ResumeFields state={state} onChange={setPlan} />}
        </>
      ),
      // The call of the specification, unless there is more to say than it can.
      run: (reason) => {
        if (plan !== undefined) return resume.mutateAsync({ body: plan, reason });
        if (details?.expectedEndAt || details?.noticeForPeople) {
          return suspend.mutateAsync({ headers, body: details, reason });
        }
        return update.mutateAsync({ headers, body: flag.patch(isOn), reason });
      },
      readOutcome: () => readOutcome(settingsGet, {}, (now) => now[flag.name] === isOn),
      failed: SETTINGS_MESSAGES.updateFailed,
    });
    if (isDone) showToast({ message: `${flag.label} is now ${isOn ? 'on' : 'off'}` });
  }

  const isBusy = isReading || update.isPending || suspend.isPending || resume.isPending;
  return (
    <Switch
      label={flag.label}
      description={flag.description}
      checked={settings[flag.name]}
      busy={isBusy}
      onCheckedChange={(isNextOn) => void ask(isNextOn)}
    />
  );
}

/** The words of a switch, before it is known whether it is on. */
function ServiceSwitchSkeleton({ flag }: { flag: ServiceFlag }) {
  return (
    <div className="flex items-start justify-between gap-4 coarse:min-h-10">
      <div className="min-w-0">
        <p className="text-base font-medium">{flag.label}</p>
        <p className="text-sm text-muted">{flag.description}</p>
      </div>
      <Skeleton round width="2.5rem" height="1.375rem" />
    </div>
  );
}

/** Who suspended the service, why, until when, and what users are told. */
function SuspensionNote({ settings }: { settings: Settings }) {
  const { data } = useEngine();
  const update = useEndpointMutation(suspensionUpdate, {
    invalidates: [settingsGet, engineGet],
  });
  const suspension = data?.suspension;
  if (!suspension) return null;
  const { by, reason, expectedEndAt, noticeForPeople } = suspension;

  function change() {
    let details = { expectedEndAt, noticeForPeople };
    return confirm({
      title: 'Change Suspension Details',
      body: 'The service stays suspended.',
      fields: <SuspendFields initial={details} onChange={(next) => (details = next)} />,
      busyLabel: 'Saving...',
      takesReason: true,
      run: (why) => update.mutateAsync({ headers: ifMatch(settings), body: details, reason: why }),
      failed: SETTINGS_MESSAGES.updateFailed,
    });
  }

  return (
    <div className="flex flex-col gap-4">
      <DescriptionList minColumn={DATE_TIME_WIDTH}>
        <DescriptionItem label="Suspended by">
          <SafeText>{by ?? NOTHING}</SafeText>
        </DescriptionItem>
        <DescriptionItem label="Since">
          <Time value={data.suspendedAt} />
        </DescriptionItem>
        <DescriptionItem label="Expected end">
          <Time value={expectedEndAt} />
        </DescriptionItem>
        <DescriptionItem label="Reason" wide>
          <SafeText>{reason ?? NOTHING}</SafeText>
        </DescriptionItem>
        <DescriptionItem label="Notice for users" wide>
          <SafeText>{noticeForPeople ?? NOTHING}</SafeText>
        </DescriptionItem>
      </DescriptionList>
      <Button size="sm" className="self-start" onClick={() => void change()}>
        Change Details
      </Button>
    </div>
  );
}

interface Question {
  title: string;
  body: string;
}

export interface ServiceFlag {
  name: 'is_closed_beta' | 'is_service_suspended';
  label: string;
  description: string;
  patch: (isOn: boolean) => SettingsPatchBody;
  turnOn: Question;
  turnOff: Question;
}

/** The service-wide switches, and what each of them does to all users. */
const SERVICE_FLAGS: readonly ServiceFlag[] = [
  {
    name: 'is_closed_beta',
    label: 'Closed beta',
    description:
      'When on, only users with access keywords can use the service. Existing users are unaffected.',
    patch: (isOn) => ({ is_closed_beta: isOn }),
    turnOn: {
      title: 'Start Closed Beta',
      body: 'Closed beta: only users with access keywords can use the service; existing users are unaffected.',
    },
    turnOff: {
      title: 'End Closed Beta',
      body: 'Everyone can use the service again, with or without an access keyword.',
    },
  },
  {
    name: 'is_service_suspended',
    label: 'Service suspension',
    description: "When on, users can't access the service and scheduled posts aren't executed.",
    patch: (isOn) => ({ is_service_suspended: isOn }),
    turnOn: {
      title: 'Suspend Service',
      body: 'Suspension: all users cannot access the service and scheduled posts are not executed.',
    },
    turnOff: {
      title: 'Resume Service',
      body: 'All users can access the service again and scheduled posts are executed.',
    },
  },
];
