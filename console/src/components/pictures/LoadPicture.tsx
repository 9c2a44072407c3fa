import { Button } from '../../ui/Button.tsx';
import { ExternalLink } from '../ExternalLink.tsx';
import type { ForeignPicture } from './use-picture.ts';

/** The button that loads a picture of another host, or where there is none, the way to it. */
export function LoadPicture({ picture }: { picture: ForeignPicture }) {
  const { host, url, load, isLoading, failure } = picture;
  const label = failure === undefined ? 'Load picture' : 'Try again';
  const link = <ExternalLink href={url}>Open in a new tab</ExternalLink>;
  if (load === undefined) return link;
  return (
    <>
      <Button
        size="sm"
        busy={isLoading}
        aria-label={
          failure === undefined
            ? `${label} from ${host}`
            : `${label} to load the picture from ${host}`
        }
        onClick={load}
      >
        {label}
      </Button>
      {failure !== undefined && link}
    </>
  );
}
