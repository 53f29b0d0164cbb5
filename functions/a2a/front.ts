import type { RequestListener } from 'node:http';
import { http as register } from '@google-cloud/functions-framework';
import { httpServer } from '../../shared/http/server.ts';
import { type DrainOptions, drainTheServer } from '../drain.ts';

/**
 * Publishes an app under the unchanged functions-framework command. The framework reads every body
 * before the function is called (HTML for malformed JSON, a Buffer for application/a2a+json, a
 * limit of 1 GiB) and exits within milliseconds of SIGTERM, in the middle of open streams. So the
 * one server that it makes serves our app itself, and closes our way.
 */
export function serveAsFunction(name: string, app: RequestListener, options: DrainOptions): void {
  // For the framework's own look-up, which fails on an unknown target; its copy of the route is
  // never reached.
  register(name, app);
  drainTheServer(options, (_, create) => httpServer(app, create));
}
