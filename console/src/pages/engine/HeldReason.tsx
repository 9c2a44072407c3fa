import type { EngineState } from '@meridian/contract/engine';
import { POST_FILTERS_FEATURE } from '@meridian/contract/post-filter';
import { useAnnounced } from '../../auth/use-announced.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { paths, withSearch } from '../../paths.ts';

/** Why posts are held; it leads to them where the list can be filtered by it. */
export function HeldReason({ hold, sentence }: EngineState['held'][number]) {
  if (!useAnnounced(POST_FILTERS_FEATURE)) return sentence;
  return (
    <AppLink to={withSearch(paths.posts, { hold })} className="rounded-sm underline">
      {sentence}
    </AppLink>
  );
}
