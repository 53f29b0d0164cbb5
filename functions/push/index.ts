import type { App } from '../../shared/app/app.ts';
import { serveQueue } from '../serve-queue.ts';

/**
 * Tells webhooks what their tasks have shown, and operators what waits for them, for each wake-up
 * of the queue `pushes`.
 */
serveQueue('push', ['push', 'notice'], { tellTarget });

/** Loaded with the first of them: most installations tell no one. */
async function tellTarget(app: App, target: string): Promise<void> {
  const notices = await import('../../shared/app/notices/tell-target.ts');
  await notices.tellTarget(app, target);
}
