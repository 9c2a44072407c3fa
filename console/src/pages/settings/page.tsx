import { useRef, useState } from 'react';
import { accessKeywordList } from '@meridian/contract/access-keywords';
import { currencyList } from '@meridian/contract/currencies';
import { engineGet } from '@meridian/contract/engine';
import {
  type Settings,
  SETTINGS_MESSAGES,
  settingsGet,
  settingsUpdate,
} from '@meridian/contract/settings';
import { resumePreview, serviceResume, suspensionUpdate } from '@meridian/contract/suspension';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardFooter, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { readOutcome } from '@meridian/ui/api/outcome.ts';
import { type EndpointQuery, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { Switch } from '@meridian/ui/choices.tsx';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { LoadError } from '@meridian/ui/failures.tsx';
import { ifMatch } from '@meridian/ui/form/conflict.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { CURRENCIES_ANCHOR, useAnchor } from '@meridian/ui/hooks.ts';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { ALL_CURRENCIES } from '../../components/catalogue.ts';
import { Consequence } from '../../components/consequences.tsx';
import { useEngine } from '../../components/figures.tsx';
import { CurrenciesCard } from './currencies.tsx';
import { AccessKeywordsCard } from './keywords.tsx';
import {
  ResumeFields,
  type ResumePlan,
  SuspendFields,
  type SuspensionDetails,
} from './suspension.tsx';

export function loader(): void {
  prefetch(settingsGet);
  prefetch(currencyList, ALL_CURRENCIES);
}

export function Component() {
  const settings = useEndpointQuery(settingsGet);
  const currencies = useEndpointQuery(currencyList, ALL_CURRENCIES);
  const isMeridian = useIsMeridian();
  const keywords = useEndpointQuery(accessKeywordList, {}, { enabled: isMeridian });
  const section = useRef<HTMLDivElement>(null);
  const isLoaded = !settings.isPending && !currencies.isPending;
  useAnchor(CURRENCIES_ANCHOR, section, isLoaded);
  return (
    <>
      <PageTitle title="Service Settings" context="Service access and currencies" />
      <div className="flex max-w-[45rem] flex-col gap-4">
        <ServiceCard query={settings} />
        <div ref={section} id={CURRENCIES_ANCHOR} tabIndex={-1} className="scroll-mt-4">
          <CurrenciesCard query={currencies} />
        </div>
        {isMeridian && isLoaded && <AccessKeywordsCard query={keywords} />}
        {isLoaded && !keywords.isLoading && <HistoryCard entity="settings" entityId="1" />}
      </div>
    </>
  );
}

function ServiceCard({ query }: { query: EndpointQuery<typeof settingsGet> }) {
  const { data, error } = query;
  const isShown = data !== undefined || error === null;
  return (
    <Card aria-labelledby="service">
      <CardHeader
        title="Service"
        titleId="service"
        description="These affect every user. You'll be asked to confirm."
      />
      <CardBody className="flex flex-col gap-5 pt-1">
        <LoadError query={query} failed={SETTINGS_MESSAGES.loadFailed} />
        {isShown &&
          SERVICE_FLAGS.map((flag) =>
            data === undefined ? (
              <ServiceSwitchSkeleton key={flag.name} flag={flag} />
            ) : (
              <ServiceSwitch key={flag.name} flag={flag} settings={data} />
            ),
          )}
        {data?.is_service_suspended === true && <SuspensionNote settings={data} />}
      </CardBody>
      {isShown && (
        <CardFooter className="text-sm text-muted">
          <span>Last updated</span>
          {data === undefined ? <Skeleton width="8rem" /> : <Time value={data.updated_at} />}
        </CardFooter>
      )}
    </Card>
  );
}

/** Moves only after the question was answered and the server has agreed. */
function ServiceSwitch({ flag, settings }: { flag: ServiceFlag; settings: Settings }) {
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
    const [title, body] = isOn ? flag.turnOn : flag.turnOff;
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
          {state !== undefined && <ResumeFields state={state} onChange={(next) => (plan = next)} />}
        </>
      ),
      // The call of the specification, unless it cannot carry what was filled in.
      run: (reason) => {
        if (plan !== undefined) return resume.mutateAsync({ body: plan, reason });
        if (details?.expectedEndAt || details?.noticeForPeople) {
          return suspend.mutateAsync({ headers, body: details, reason });
        }
        return update.mutateAsync({ headers, body: { [flag.name]: isOn }, reason });
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

const CHANGED = [settingsGet, engineGet];

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

function SuspensionNote({ settings }: { settings: Settings }) {
  const { data } = useEngine();
  const update = useEndpointMutation(suspensionUpdate, { invalidates: CHANGED });
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

interface ServiceFlag {
  name: 'is_closed_beta' | 'is_service_suspended';
  label: string;
  description: string;
  turnOn: readonly [title: string, body: string];
  turnOff: readonly [title: string, body: string];
}

const SERVICE_FLAGS: readonly ServiceFlag[] = [
  {
    name: 'is_closed_beta',
    label: 'Closed beta',
    description:
      'When on, only users with access keywords can use the service. Existing users are unaffected.',
    turnOn: [
      'Start Closed Beta',
      'Closed beta: only users with access keywords can use the service; existing users are unaffected.',
    ],
    turnOff: [
      'End Closed Beta',
      'Everyone can use the service again, with or without an access keyword.',
    ],
  },
  {
    name: 'is_service_suspended',
    label: 'Service suspension',
    description: "When on, users can't access the service and scheduled posts aren't executed.",
    turnOn: [
      'Suspend Service',
      'Suspension: all users cannot access the service and scheduled posts are not executed.',
    ],
    turnOff: [
      'Resume Service',
      'All users can access the service again and scheduled posts are executed.',
    ],
  },
];
