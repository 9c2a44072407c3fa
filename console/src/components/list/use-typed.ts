import { useEffect, useReducer, useState } from 'react';

/**
 * What is typed into a filter, and what of it was last put into the URL, whose value this is. A value
 * that comes from elsewhere (Back, 'Clear filters') takes the place of both.
 */
export function useTyped(value: string, onReplaced?: () => void) {
  const [typed, setTyped] = useState(value);
  const [pushed, setPushed] = useState(value);
  const [moves, countMove] = useReducer((count: number) => count + 1, 0);
  const [seen, setSeen] = useState({ value, moves });

  // Back may come before the list of what was pushed is there: its value is then never seen here.
  useEffect(() => {
    window.addEventListener('popstate', countMove);
    return () => window.removeEventListener('popstate', countMove);
  }, []);

  if (value !== seen.value || moves !== seen.moves) {
    setSeen({ value, moves });
    if (value !== pushed || moves !== seen.moves) {
      setPushed(value);
      setTyped(value);
      onReplaced?.();
    }
  }
  return { typed, setTyped, pushed, setPushed };
}
