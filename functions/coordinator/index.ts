import { http } from '@google-cloud/functions-framework';
import { queueFunction } from '../queue-function.ts';

/**
 * Looks at one remote task, ends a wait whose time is over, or cancels, for each wake-up of the
 * queue `polls`.
 */
http('coordinator', queueFunction('coordinator', ['poll', 'dependency-deadline', 'cancel-remote']));
