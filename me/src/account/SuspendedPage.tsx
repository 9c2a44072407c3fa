import { CirclePause } from 'lucide-react';
import { Card } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Frame } from '../parts.tsx';

/** While the service is suspended there is nothing else. It ends by itself when the service resumes. */
export function SuspendedPage({ notice }: { notice: string | null }) {
  return (
    <Frame hasTitle>
      <Card as="div" className="flex flex-col items-center gap-3 px-6 py-10 text-center">
        <CirclePause aria-hidden="true" className="size-8 text-orange" />
        <h1 className="text-xl">The service is paused</h1>
        {notice !== null && (
          <p className="text-lg leading-normal whitespace-pre-line wrap-anywhere">
            <SafeText>{notice}</SafeText>
          </p>
        )}
        <p className="text-muted">
          Your posts are kept and nothing goes out meanwhile. This page opens again by itself.
        </p>
      </Card>
    </Frame>
  );
}
