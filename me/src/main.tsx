import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchTheme } from '@meridian/ui/theme.tsx';
import { App } from './App.tsx';
import { rescueFocus } from './parts.tsx';
import './styles.css';

watchTheme();
rescueFocus();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
