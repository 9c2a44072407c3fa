import { engineGet } from '@meridian/contract/engine';
import { suspensionUpdate } from '@meridian/contract/suspension';
import { type Settings, SETTINGS_MESSAGES, settingsGet } from '@meridian/contract/settings';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { useEngine } from '../../components/engine/use-engine.ts';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { Button } from '../../ui/Button.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { SuspendFields } from './SuspendFields.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** Who suspended the service, why, until when, and what users are told. */
export function SuspensionNote({ settings }: { settings: Settings }) {
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
