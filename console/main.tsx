import { render } from 'preact';
import { App } from './app.tsx';
import { startRouter } from './router.ts';
import { openSession } from './session.ts';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/views.css';
import './style/playground.css';
import './style/files.css';
import { openTheme } from './theme.ts';

openTheme();
openSession();
startRouter();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
