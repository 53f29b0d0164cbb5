import type { OutgoingHttp } from '../../shared/ports/outgoing-http.ts';
import { type Line, Undelivered } from './line.ts';

/** The webhooks of all callers, which take everything that reaches them. */
export class Hooks {
  /** The journal positions that each task's webhook was told, in their order. */
  readonly told = new Map<string, number[]>();

  readonly #notices = new Map<string, Map<string, string>>();

  /** What a target of notices was told: by the id of the matter, which of which run. */
  noticesTo(target: string): ReadonlyMap<string, string> {
    return this.#notices.get(target) ?? new Map<string, string>();
  }

  takeNotices(url: string, body: string): void {
    const [target = ''] = new URL(url).hostname.split('.');
    const told = new Map(this.noticesTo(target));
    const { notices } = JSON.parse(body) as {
      readonly notices: readonly {
        readonly id: string;
        readonly kind: string;
        readonly run: string;
      }[];
    };
    for (const { id, kind, run } of notices) told.set(id, `${kind} ${run}`);
    this.#notices.set(target, told);
  }

  take(eventId: string): void {
    const [taskId = '', seq = ''] = eventId.split('/');
    this.told.set(taskId, [...(this.told.get(taskId) ?? []), Number(seq)]);
  }
}

/** As one process reaches them: what did not arrive, or whose answer did not, was not taken. */
export function outgoingOf(hooks: Hooks, line: Line): OutgoingHttp {
  return {
    objectionTo: () => undefined,
    send: ({ body = '', headers, url }) =>
      line
        .call('webhook.post', () => {
          const eventId = headers['holdfast-event-id'];
          if (eventId === undefined) hooks.takeNotices(url, body);
          else hooks.take(eventId);
          return Promise.resolve({ kind: 'answer', status: 204, contentType: '' } as const);
        })
        .catch((error: unknown) =>
          error instanceof Undelivered
            ? ({ kind: 'not_sent', reason: 'connection refused' } as const)
            : ({ kind: 'lost', reason: 'timeout' } as const),
        ),
  };
}
