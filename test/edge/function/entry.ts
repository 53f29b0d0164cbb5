// What a deployed function is, over the fake application: the functions-framework command loads
// this file.
import { createA2AApp } from '../../../shared/a2a/app.ts';
import { defaults } from '../../../shared/domain/settings.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { serveAsFunction } from '../../../functions/a2a/front.ts';
import { FakeTaskService } from '../../doubles/fake-task-service.ts';
import { echo } from '../edge-server.ts';

const clock: Clock = {
  now: () => Date.now(),
  sleep: (span) => new Promise((resolve) => void setTimeout(resolve, span)),
  after(span, callback) {
    const timer = setTimeout(callback, span);
    return () => {
      clearTimeout(timer);
    };
  },
};
const closing = new AbortController();
const app = createA2AApp({
  service: new FakeTaskService(),
  agents: [echo],
  defaultAgent: 'echo',
  settings: { ...defaults, requestBody: 200_000 },
  log: { write: () => undefined },
  clock,
  closing: closing.signal,
});
serveAsFunction('a2a', app, { clock, closing });
