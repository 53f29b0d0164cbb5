import { abandonSend } from '../../shared/app/operators/abandon-send.ts';
import type { App } from '../../shared/app/app.ts';
import { decideDirectly } from '../../shared/app/decisions/decide-directly.ts';
import { deliverEvent } from '../../shared/app/operators/deliver-event.ts';
import { linkSend } from '../../shared/app/operators/link-send.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { resendSend } from '../../shared/app/operators/resend-send.ts';
import { runSegment } from '../../shared/app/worker/run-segment.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { taskFacts } from '../../testing/rows.ts';
import { TRIES } from './client.ts';
import type { World } from './world.ts';

/**
 * An operator who decides, and settles sends that only an operator can. What was not answered is
 * asked again.
 */
export class Operator {
  readonly #world: World;
  readonly #subject: string;

  constructor(world: World, subject = 'operator') {
    this.#world = world;
    this.#subject = subject;
    world.operators.add(subject);
  }

  /**
   * The decision about the pause that the run is in, if it is in one; the same when it is made
   * again.
   */
  decisionOn(taskId: string, kind: Decision['kind']): Decision | undefined {
    const run = taskFacts(this.#world.backend, taskId);
    if (run?.status !== 'waiting_for_approval' && run?.status !== 'waiting_for_input')
      return undefined;
    const { digest, pauseGeneration } = run;
    return {
      kind,
      pauseGeneration,
      ...(digest !== undefined && { digest }),
      ...(kind === 'input' && { input: { size: 3 } }),
    };
  }

  /** True: this decision counts. */
  async store(taskId: string, decision: Decision): Promise<boolean> {
    const answer = await this.#insist('decide', (app) =>
      storeDecision(app, this.#decider, taskId, decision),
    );
    return !isRefused(answer);
  }

  /** Decides, and does the work that follows in the same request. */
  async carryOut(taskId: string, decision: Decision): Promise<boolean> {
    const answer = await this.#insist('decide directly', async (app) => {
      const decided = await decideDirectly(app, this.#decider, taskId, decision);
      if (isRefused(decided)) return decided;
      const { claimed, delivery } = decided;
      if (claimed !== undefined)
        await runSegment(app, claimed, app.agents.get(claimed.run.agent), delivery);
      return decided;
    });
    return !isRefused(answer);
  }

  /**
   * Does something about the send that the run waits for. Asked once: a resend that was not
   * answered is for a person to look at.
   */
  async settle(taskId: string, how: 'resend' | 'link' | 'abandon'): Promise<void> {
    const run = taskFacts(this.#world.backend, taskId);
    if (run?.status !== 'waiting_for_dependency') return;
    const { sendId } = run.dependency;
    const name = `${taskId}.${sendId}`;
    const [found] = this.#world.outside.received.filter(({ messageId }) => messageId === sendId);
    await this.#once(how, async (app) => {
      const operator = { subject: this.#subject, rights: rightsOf(app, this.#subject) };
      if (how === 'resend') return resendSend(app, operator, name);
      if (how === 'abandon') return abandonSend(app, operator, name);
      return linkSend(app, operator, name, found?.taskId ?? 'no-such-task');
    });
  }

  /** Delivers an event, until it is known to be there or refused; in a long outage it gives up. */
  async deliver(taskId: string, name: string, data: number, id: string): Promise<void> {
    const delivered = this.#insist('deliver', (app) => {
      const operator = { subject: this.#subject, rights: rightsOf(app, this.#subject) };
      return deliverEvent(app, operator, taskId, { name, data, id });
    });
    const taken = await delivered.catch(() => undefined);
    if (taken?.kind === 'delivered')
      this.#world.record.delivered.push({ taskId, id, number: taken.number });
  }

  get #decider() {
    return { kind: 'operator', subject: this.#subject } as const;
  }

  async #insist<T extends object>(name: string, call: (app: App) => Promise<T>): Promise<T> {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const answer = await this.#once(name, call);
      if (answer !== 'lost') return answer;
      await this.#world.clock.sleep(20 + this.#world.chance.random() * 40 * tries);
    }
    throw new Error(`${name} was never answered`);
  }

  async #once<T extends object>(name: string, call: (app: App) => Promise<T>): Promise<T | 'lost'> {
    const process = this.#world.anyProcess();
    if (process === undefined) return 'lost';
    try {
      return await process.operate(name, call);
    } catch (error) {
      this.#world.network.trace(`   operator: ${name} failed: ${String(error)}`);
      return 'lost';
    }
  }
}
