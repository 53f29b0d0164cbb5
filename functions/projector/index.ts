import { serveQueue } from '../serve-queue.ts';

/**
 * Projects committed revisions that their worker could not, for each wake-up of the queue
 * `projections`.
 */
serveQueue('projector', ['project', 'purge', 'files', 'trail']);
