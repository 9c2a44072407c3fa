import { useEffect } from 'react';

/** The title in the browser's tab: 'Users · Meridian'. */
export function usePageTitle(words: string): void {
  // The title belongs to the document, which React does not render.
  useEffect(() => {
    document.title = words === '' ? 'Meridian' : `${words} · Meridian`;
  }, [words]);
}
