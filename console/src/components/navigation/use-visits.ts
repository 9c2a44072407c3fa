import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';
import { inheritVisit, recordSearch, recordVisit } from './visits.ts';

/** Keeps the record that BackLink reads. Used once, by the shell. */
export function useVisits(): void {
  const location = useLocation();
  const type = useNavigationType();
  const previous = useRef(location);

  // The router tells where one is, not where one came from.
  useEffect(() => {
    if (previous.current.key !== location.key) {
      if (type === NavigationType.Push) recordVisit(previous.current, location);
      if (type === NavigationType.Replace) inheritVisit(previous.current, location);
    }
    recordSearch(location);
    previous.current = location;
  }, [location, type]);
}
