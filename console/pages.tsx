import type { ComponentType } from 'preact';
import { AgentOf, Agents } from './views/agents.tsx';
import { ContextOf } from './views/context.tsx';
import { Audit } from './views/audit.tsx';
import { CostsPage } from './views/costs.tsx';
import { InboxPage } from './views/inbox.tsx';
import { Overview } from './views/overview.tsx';
import { RunPage } from './views/run.tsx';
import { Runs } from './views/runs.tsx';
import { Sends } from './views/sends.tsx';
import { Try } from './views/try.tsx';

export interface PageEntry {
  readonly path: string;
  /** As the navigation names it; absent: it is not there. */
  readonly title?: string;
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
  { path: '/try', title: 'Try', view: Try },
  { path: '/costs', title: 'Costs', view: CostsPage },
  { path: '/audit', title: 'Audit', view: Audit },
  // Reached from its runs: there is no list of contexts.
  { path: '/contexts', one: ContextOf },
];
