import {
  ACCESS_KEYWORD_MESSAGES,
  type AccessKeyword,
  accessKeywordList,
  accessKeywordRevoke,
} from '@meridian/contract/access-keywords';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { Button } from '../../ui/Button.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { showToast } from '../../ui/toast-store.ts';

export function RevokeKeyword({ keyword: { id, word } }: { keyword: AccessKeyword }) {
  const revoke = useEndpointMutation(accessKeywordRevoke, { invalidates: [accessKeywordList] });
  async function ask() {
    const isDone = await confirm({
      title: 'Revoke Access Keyword',
      body: (
        <>
          Newcomers can no longer join with <SafeText>{word}</SafeText>. The people who came with it
          stay.
        </>
      ),
      danger: true,
      confirmLabel: 'Revoke',
      busyLabel: 'Revoking...',
      takesReason: true,
      run: (reason) => revoke.mutateAsync({ params: { id }, reason }),
      failed: ACCESS_KEYWORD_MESSAGES.revokeFailed,
    });
    if (isDone) showToast({ message: 'Access keyword revoked' });
  }
  return (
    <Button size="sm" aria-label={`Revoke ${word}`} onClick={() => void ask()}>
      Revoke
    </Button>
  );
}
