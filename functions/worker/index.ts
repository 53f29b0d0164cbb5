import { openToolServers } from '../open-tool-servers.ts';
import { serveQueue } from '../serve-queue.ts';

/** Runs one segment of one run, for each wake-up of the queue `runs`. */
serveQueue('worker', ['run', 'check-lease', 'deadline'], { toolServers: openToolServers });
