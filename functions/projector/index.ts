import { http } from '@google-cloud/functions-framework';
import { queueFunction } from '../queue-function.ts';

/**
 * Projects committed revisions that their worker could not, for each wake-up of the queue
 * `projections`.
 */
http('projector', queueFunction('projector', ['project', 'purge']));
