// The process of one agent that has one of its own; in it, as a worker, what watches it.
import { isMainThread } from 'node:worker_threads';
import { systemClock } from '../shared/system/system-clock.ts';

if (isMainThread) (await import('./serve-agent-process.ts')).serveAgentProcess();
else await (await import('../shared/isolation/watch.ts')).watch(systemClock);
