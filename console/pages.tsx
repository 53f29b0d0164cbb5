import type { ComponentType } from 'preact';
import { AgentOf, Agents } from './views/agents.tsx';
import { ContextOf } from './views/context.tsx';
import { Audit } from './views/audit.tsx';
import { CostsPage } from './views/costs.tsx';
import { InboxPage } from './views/inbox.tsx';
import { Keys } from './views/keys.tsx';
import { Overview } from './views/overview.tsx';
import { Remotes } from './views/remotes.tsx';
import { RunPage } from './views/run.tsx';
import { Runs } from './views/runs.tsx';
import { Schedules } from './views/schedules.tsx';
import { Sends } from './views/sends.tsx';
import { Try } from './views/try.tsx';
import { Webhooks } from './views/webhooks.tsx';
import type { Right } from './me.ts';

export interface PageEntry {
  readonly path: string;
  /** As the navigation names it; absent: it is not there. */
  readonly title?: string;
  /** The navigation names it to operators with this right. */
  readonly right?: Right;
  readonly view?: ComponentType;
  /** Of one thing, by its id behind the path. */
  readonly one?: ComponentType<{ readonly id: string }>;
}

/** Every page of the console, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  { path: '/', title: 'Overview', view: Overview },
  { path: '/runs', title: 'Runs', view: Runs, one: RunPage },
  { path: '/inbox', title: 'Inbox', view: InboxPage },
  { path: '/sends', title: 'Sends', view: Sends },
  { path: '/agents', title: 'Agents', view: Agents, one: AgentOf },
  { path: '/schedules', title: 'Schedules', view: Schedules },
  { path: '/try', title: 'Try', view: Try },
  { path: '/costs', title: 'Costs', view: CostsPage },
  { path: '/remotes', title: 'Remotes', view: Remotes },
  { path: '/webhooks', title: 'Webhooks', view: Webhooks },
  { path: '/keys', title: 'API keys', right: 'keys', view: Keys },
  { path: '/audit', title: 'Audit', right: 'audit', view: Audit },
  // Reached from its runs: there is no list of contexts.
  { path: '/contexts', one: ContextOf },
];
