import { engineGet } from '@meridian/contract/engine';
import { resumePreview, serviceResume, suspensionUpdate } from '@meridian/contract/suspension';
import {
  type Settings,
  SETTINGS_MESSAGES,
  settingsGet,
  settingsUpdate,
} from '@meridian/contract/settings';
import { useState } from 'react';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { Consequence } from '../../components/Consequence.tsx';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { readOutcome } from '../../components/dialogs/read-outcome.ts';
import { useEngine } from '../../components/engine/use-engine.ts';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { Switch } from '../../ui/Switch.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { ResumeFields } from './ResumeFields.tsx';
import type { ResumePlan } from './ResumePlanFields.tsx';
import type { ServiceFlag } from './service-flags.ts';
import { SuspendFields, type SuspensionDetails } from './SuspendFields.tsx';

const CHANGED = [settingsGet, engineGet];

interface ServiceSwitchProps {
  flag: ServiceFlag;
  settings: Settings;
}

/** Moves only after the question was answered and the server has agreed. */
export function ServiceSwitch({ flag, settings }: ServiceSwitchProps) {
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
