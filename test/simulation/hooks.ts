import type { OutgoingHttp } from '../../shared/ports/outgoing-http.ts';
import { type Line, Undelivered } from './line.ts';

/** The webhooks of all callers, which take everything that reaches them. */
export class Hooks {
  /** The journal positions that each task's webhook was told, in their order. */
  readonly told = new Map<string, number[]>();

  take(eventId: string): void {
    const [taskId = '', seq = ''] = eventId.split('/');
    this.told.set(taskId, [...(this.told.get(taskId) ?? []), Number(seq)]);
  }
}

/** As one process reaches them: what did not arrive, or whose answer did not, was not taken. */
export function outgoingOf(hooks: Hooks, line: Line): OutgoingHttp {
  return {
    objectionTo: () => undefined,
    send: ({ headers }) =>
      line
        .call('webhook.post', () => {
          hooks.take(headers['holdfast-event-id'] ?? '');
          return Promise.resolve({ kind: 'answer', status: 204, contentType: '' } as const);
        })
        .catch((error: unknown) =>
          error instanceof Undelivered
            ? ({ kind: 'not_sent', reason: 'connection refused' } as const)
            : ({ kind: 'lost', reason: 'timeout' } as const),
        ),
  };
}
