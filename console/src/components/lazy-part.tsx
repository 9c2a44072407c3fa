import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { Alert } from '../ui/Alert.tsx';

/** In its place: the rest of the page stays as it is, and with it what was typed there. */
function PartError() {
  return (
    <Alert className="mx-5 mb-5">
      This part could not be loaded. Meridian may have been updated since you opened it, or the
      connection was lost. Save your changes, then reload the page.
    </Alert>
  );
}

/** A part whose code is loaded when it is opened. A failed import is not tried again by the browser. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch(() => PartError) }));
}
