import type { ComponentType } from 'preact';
import { Overview } from './views/overview.tsx';
import { RunPage } from './views/run.tsx';
import { Runs } from './views/runs.tsx';

export interface PageEntry {
  readonly path: string;
  /** As the navigation names it. */
  readonly title: string;
  readonly view: ComponentType;
  /** Of one thing, by its id behind the path. */
  readonly one?: ComponentType<{ readonly id: string }>;
}

/** Every page of the console, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  { path: '/', title: 'Overview', view: Overview },
  { path: '/runs', title: 'Runs', view: Runs, one: RunPage },
];
