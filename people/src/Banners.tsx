import type { Me } from '@meridian/contract/me/account';
import { Alert } from '../../console/src/ui/Alert.tsx';
import { Button } from '../../console/src/ui/Button.tsx';
import { SafeText } from '../../console/src/ui/SafeText.tsx';
import { useOnline } from '../../console/src/ui/use-online.ts';

type BannersProps = { me: Me; isConnecting: boolean; onConnect: () => void };

/** The states in which nothing goes out, in words for the person. */
const STATES: Readonly<Record<string, string>> = {
  RECONNECT: 'Your Bluesky account is not connected. Your posts wait until you connect it again.',
  DEACTIVATED:
    'Your Bluesky account is deactivated. Activate it there; your posts wait until then.',
  TAKEN_DOWN: 'Your Bluesky account was removed by its host. Your posts wait.',
  GONE: 'Your Bluesky account was not found. Connect it again if it has moved; your posts wait.',
};

/** What keeps posts from going out, and what to do about it. */
export function Banners({ me, isConnecting, onConnect }: BannersProps) {
  const isOnline = useOnline();
  const sentence = STATES[me.account.state];
  return (
    <>
      {!isOnline && (
        <Alert tone="amber">
          You are offline. What you write is kept in this browser; schedule it when you are back.
        </Alert>
      )}
      {sentence !== undefined && (
        <Alert
          tone="amber"
          action={
            <Button size="sm" busy={isConnecting} onClick={onConnect}>
              Connect again
            </Button>
          }
        >
          {sentence}
        </Alert>
      )}
      {me.schedule.sentence !== null && (
        <Alert tone="amber">
          <SafeText as="span">{me.schedule.sentence}</SafeText>
        </Alert>
      )}
    </>
  );
}
