import { FORMATS } from '../../domain/format.ts';
import type { Json } from '../../domain/json.ts';
import { invalid, type Refused, refused } from '../../domain/refusal.ts';
import { isEnded, type Run, stateOf } from '../../domain/run.ts';
import { SIGNAL_BYTES } from '../../domain/signal.ts';
import { isActive } from '../../domain/transitions.ts';
import type { App } from '../app.ts';

/** An event as it comes in. */
export interface NewSignal {
  readonly name: string;
  readonly data: Json;
  /** Under one id it is one event, however often it is delivered. */
  readonly id?: string | undefined;
}

/** The owner of the task, or an operator, by name. */
export type Deliverer =
  | { readonly kind: 'owner' }
  | { readonly kind: 'operator'; readonly operator: string };

/** How a refusal names them: where they stand in the request. */
export type SignalFields = Readonly<Record<'name' | 'data' | 'id', string>>;

/** What can be said against an event before anything is written. */
export async function objectionTo(
  app: App,
  run: Run,
  { data, name }: NewSignal,
  by: Deliverer,
  fields: SignalFields,
): Promise<Refused | undefined> {
  if (app.format !== undefined && !(await app.format.allows(FORMATS.signals)))
    return refused(
      'EVENTS_NOT_YET',
      'events can not be delivered yet: not every function reads them',
    );
  const taken = (app.agents.get(run.agent)?.events ?? []).filter(
    ({ owner }) => owner || by.kind === 'operator',
  );
  const declared = taken.find((each) => each.name === name);
  if (declared === undefined) {
    const names = taken.map((each) => each.name).join(', ');
    return invalid(fields.name, `is no event that ${run.agent} takes: it takes ${names || 'none'}`);
  }
  const bytes = Buffer.byteLength(JSON.stringify(data));
  if (bytes > SIGNAL_BYTES)
    return invalid(fields.data, `has ${bytes} bytes as JSON, and may have ${SIGNAL_BYTES}`);
  const unfit = declared.objection(data);
  return unfit && invalid(`${fields.data}${unfit.path}`, unfit.message);
}

/** Why the run takes none any more. */
export function notNow(run: Run): Refused | undefined {
  if (isActive(run)) return undefined;
  if (isEnded(run)) return refused('TASK_TERMINAL', `the task is ${stateOf(run)}, which is final`);
  return refused('TASK_BUSY', 'the task takes no events now');
}
