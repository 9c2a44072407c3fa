import { useRef, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { DialogFrame } from './DialogFrame.tsx';

export interface InfoDialogProps {
  open: boolean;
  title: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

export function InfoDialog({ open, title, children, onClose }: InfoDialogProps) {
  const okButton = useRef<HTMLButtonElement>(null);
  if (!open) return null;
  return (
    <DialogFrame title={title} text={children} initialFocus={okButton} onDismiss={onClose}>
      <div className="flex justify-end">
        <Button ref={okButton} variant="primary" onClick={onClose}>
          OK
        </Button>
      </div>
    </DialogFrame>
  );
}
