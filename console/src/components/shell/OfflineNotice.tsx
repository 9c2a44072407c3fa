import { useSyncExternalStore } from 'react';
import { Alert } from '../../ui/Alert.tsx';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <Alert tone="amber" className="mb-4">
      You are offline. What you see may be out of date, and changes cannot be saved.
    </Alert>
  );
}
