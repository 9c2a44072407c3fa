import { ENGINE_FEATURE, engineGet } from '@meridian/contract/engine';
import {
  type Settings,
  SETTINGS_MESSAGES,
  settingsGet,
  settingsUpdate,
} from '@meridian/contract/settings';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { useAnnounced } from '../../auth/use-announced.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { readOutcome } from '../../components/dialogs/read-outcome.ts';
import { useEngine } from '../../components/engine/use-engine.ts';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { Switch } from '../../ui/Switch.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { ResumeConsequence } from './ResumeConsequence.tsx';
import type { ServiceFlag } from './service-flags.ts';
import { UnknownSwitch } from './UnknownSwitch.tsx';

interface ServiceSwitchProps {
  flag: ServiceFlag;
  settings: Settings;
}

/** Moves only after the question was answered and the server has agreed. */
export function ServiceSwitch({ flag, settings }: ServiceSwitchProps) {
  const update = useEndpointMutation(settingsUpdate, {
    invalidates: [settingsGet, engineGet],
    headers: ifMatch(settings),
  });
  const hasEngine = useAnnounced(ENGINE_FEATURE) === true;
  const engine = useEngine();

  async function ask(isOn: boolean) {
    const isResuming = flag.name === 'is_service_suspended' && !isOn;
    const { title, body } = isOn ? flag.turnOn : flag.turnOff;
    // The numbers in the question are those of this moment.
    const state = isResuming && hasEngine ? (await engine.refetch()).data : undefined;
    const isDone = await confirm({
      title,
      body:
        state === undefined ? body : <ResumeConsequence state={state}>{body}</ResumeConsequence>,
      danger: isOn,
      busyLabel: 'Saving...',
      run: () => update.mutateAsync({ body: flag.patch(isOn) }),
      readOutcome: () => readOutcome(settingsGet, {}, (now) => now[flag.name] === isOn),
      failed: SETTINGS_MESSAGES.updateFailed,
    });
    if (isDone) showToast({ message: `${flag.label} is now ${isOn ? 'on' : 'off'}` });
  }

  const isOn = settings[flag.name];
  if (isOn === undefined)
    return <UnknownSwitch flag={flag} busy={update.isPending} onChoose={ask} />;
  return (
    <Switch
      label={flag.label}
      description={flag.description}
      checked={isOn}
      busy={update.isPending}
      onCheckedChange={(isNextOn) => void ask(isNextOn)}
    />
  );
}
