import type { LucideIcon } from 'lucide-react';
import { Button } from '../../../console/src/ui/Button.tsx';

type IconButtonProps = { label: string; icon: LucideIcon; onClick: () => void };

/** A small button without words. */
export function IconButton({ label, icon: Icon, onClick }: IconButtonProps) {
  return (
    <Button variant="ghost" size="sm" square aria-label={label} onClick={onClick}>
      <Icon aria-hidden="true" />
    </Button>
  );
}
