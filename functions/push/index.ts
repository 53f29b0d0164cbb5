import { serveQueue } from '../serve-queue.ts';

/**
 * Tells webhooks what their tasks have shown, and operators what waits for them, for each wake-up
 * of the queue `pushes`.
 */
serveQueue('push', ['push', 'notice']);
