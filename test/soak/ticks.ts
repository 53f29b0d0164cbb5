import { expect } from 'vitest';
import { z } from 'zod';
import { extraTask, tickTask } from '../../shared/domain/schedule.ts';
import { eventually } from '../e2e/eventually.ts';
import { asOperator } from '../e2e/operating.ts';
import { EVERY } from '../fixtures/agents/ticking.ts';

const AGENT = 'ticking';
const instant = z.iso.datetime().transform((text) => Date.parse(text));
const resumed = z.object({ nextAt: instant });
const paused = z.object({ lastTick: instant.optional() });
const page = z.object({
  runs: z.array(z.object({ id: z.string(), status: z.string() })),
  cursor: z.string().optional(),
});

type Row = z.output<typeof page>['runs'][number];

interface Asked {
  readonly data: string;
}

/**
 * What a schedule must have made: each tick from the one that it was resumed for to the last one
 * before it was paused, and what an operator asked for between them.
 */
export class TickBook {
  readonly #server: Asked;
  readonly #due = new Set<string>();
  #begun = 0;
  #next: number | undefined;
  #asked = 0;
  /** Of all rounds. */
  made = 0;

  constructor(server: Asked) {
    this.#server = server;
  }

  /** The schedule ticks from now on. The server that is asked is not killed meanwhile. */
  async resume(): Promise<void> {
    // What was made before is of no interest; an operator may ask for more before the next tick.
    if (this.#due.size === 0) this.#begun = Date.now();
    this.#next = resumed.parse(await this.#act('resume')).nextAt;
  }

  /** It has made what it has made: from here on nothing of it begins. */
  async pause(): Promise<void> {
    const { lastTick = 0 } = paused.parse(await this.#act('pause'));
    for (let at = this.#next ?? Number.POSITIVE_INFINITY; at <= lastTick; at += EVERY)
      this.#due.add(tickTask(AGENT, at));
    this.#next = undefined;
  }

  /** An operator has a task made beside the ticks, and asks for it twice. */
  async ask(): Promise<void> {
    this.#asked += 1;
    const requestId = `${this.#begun} ${this.#asked}`;
    for (let twice = 0; twice < 2; twice += 1) await this.#act('run', { requestId });
    this.#due.add(extraTask(AGENT, requestId));
  }

  /** After a pause: each tick since the last settling has its one task, and there is no other. */
  async settle(hint: string): Promise<void> {
    const due = [...this.#due].toSorted();
    expect(due.length, hint).toBeGreaterThan(0);
    const ended = (runs: readonly Row[]): boolean =>
      runs.length >= due.length && runs.every(({ status }) => status === 'completed');
    const runs = await eventually(() => this.#runs(), ended);
    expect(runs.map(({ id }) => id).toSorted(), hint).toEqual(due);
    this.made += due.length;
    this.#due.clear();
  }

  async #runs(): Promise<readonly Row[]> {
    const operator = await asOperator(this.#server);
    const since = new Date(this.#begun).toISOString();
    // The list is in the order of changes: while one ends, a page may show it again.
    const runs = new Map<string, Row>();
    for (let cursor = ''; ; ) {
      const path = `/runs?agent=${AGENT}&startedSince=${since}&limit=100${cursor}`;
      const found = page.parse((await operator.get(path)).body);
      for (const run of found.runs) runs.set(run.id, run);
      if (found.cursor === undefined) return [...runs.values()];
      cursor = `&cursor=${encodeURIComponent(found.cursor)}`;
    }
  }

  async #act(act: 'pause' | 'resume' | 'run', body = {}): Promise<unknown> {
    const operator = await asOperator(this.#server);
    const answer = await operator.post(`/schedules/${AGENT}/${act}`, body);
    expect(answer.status, `${act}: ${answer.text}`).toBe(200);
    return answer.body;
  }
}
