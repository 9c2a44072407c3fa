import { createPath, type Location, Outlet, ScrollRestoration } from 'react-router';

/** Every visit begins with an entry of this name: by it alone one page would inherit another's place. */
const FIRST = 'default';

const placeOf = (location: Location) =>
  location.key === FIRST ? createPath(location) : location.key;

export function RootLayout() {
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={placeOf} />
    </>
  );
}
