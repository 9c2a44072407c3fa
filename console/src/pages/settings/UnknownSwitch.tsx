import { Button } from '../../ui/Button.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import type { ServiceFlag } from './service-flags.ts';

interface UnknownSwitchProps {
  flag: ServiceFlag;
  busy: boolean;
  onChoose: (isOn: boolean) => Promise<void>;
}

/** Another server may not say whether a flag is on: a switch would claim that it is off. */
export function UnknownSwitch({ flag, busy, onChoose }: UnknownSwitchProps) {
  return (
    <fieldset>
      {/* Floats, as the browser would set a legend apart from the dash beside it. */}
      <legend className="float-start text-base font-medium">{flag.label}</legend>
      <p className="text-end text-muted">{NOTHING}</p>
      <p className="text-sm text-muted">{flag.description}</p>
      <p className="text-sm text-amber">The service did not say whether this is on.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" busy={busy} onClick={() => void onChoose(true)}>
          Turn On
        </Button>
        <Button size="sm" busy={busy} onClick={() => void onChoose(false)}>
          Turn Off
        </Button>
      </div>
    </fieldset>
  );
}
