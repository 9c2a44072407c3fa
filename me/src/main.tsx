import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '@meridian/ui/api/query.ts';
import { watchTheme } from '@meridian/ui/theme.tsx';
import { App } from './App.tsx';
import { startAccess } from './api/calls.ts';
import { rescueFocus } from './parts.tsx';
import './styles.css';

watchTheme();
rescueFocus();
startAccess();
// What was read is shown with the change that a press made, not a task later.
notifyManager.setScheduler(queueMicrotask);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
