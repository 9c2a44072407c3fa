import { COPY_TOAST_MS, TICKET_MESSAGES } from '@meridian/contract/tickets';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { showToast } from '../../ui/toast-store.ts';

/** The code is what is passed on to people: copying it is the first thing one comes for. */
export function CopyCode({ code }: { code: string }) {
  const [hasFailed, setFailed] = useState(false);

  async function copy() {
    const isCopied = await copyText(code);
    setFailed(!isCopied);
    if (isCopied) showToast({ message: TICKET_MESSAGES.copied(code), durationMs: COPY_TOAST_MS });
  }

  return (
    <>
      {hasFailed && (
        <span role="alert" className="text-sm text-danger">
          Couldn't copy the code. Select it and copy it yourself.
        </span>
      )}
      <Button
        icon={<Copy aria-hidden="true" className="size-4 text-muted" />}
        onClick={() => void copy()}
      >
        Copy coupon code
      </Button>
    </>
  );
}
