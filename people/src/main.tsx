import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchTheme } from '../../console/src/theme/theme.ts';
import { App } from './App.tsx';
import { rescueFocus } from './parts/rescue-focus.ts';
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
