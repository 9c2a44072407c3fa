import type { EngineState } from '@meridian/contract/engine';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { paths, withSearch } from '../../paths.ts';

/** The reason why posts are held, as a link to them. */
export function HeldReason({ hold, sentence }: EngineState['held'][number]) {
  return (
    <AppLink to={withSearch(paths.posts, { hold })} className="rounded-sm underline">
      {sentence}
    </AppLink>
  );
}
