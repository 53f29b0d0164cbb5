import { serveQueue } from '../serve-queue.ts';

/**
 * Polls one remote task, ends a wait whose time is over, or cancels, for each wake-up of the queue
 * `polls`.
 */
serveQueue('coordinator', ['poll', 'dependency-deadline', 'cancel-remote']);
