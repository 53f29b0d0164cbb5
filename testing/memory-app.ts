import { composeApp, type Policies } from '../functions/compose.ts';
import type { Agents } from '../shared/app/agents.ts';
import type { App } from '../shared/app/app.ts';
import type { Backend } from '../shared/ports/backend.ts';
import type { Clock } from '../shared/ports/clock.ts';
import type { Ports } from '../shared/ports/index.ts';
import { createStore } from '../shared/store/store.ts';
import { settled } from './virtual-clock.ts';

/** What one process is made of, with the rows in the place of the store over them. */
export interface MemoryPorts extends Omit<Ports, 'store'> {
  readonly backend: Backend;
}

/**
 * The application as it is composed everywhere, in one process of its own. The pauses between
 * attempts of a transaction take no time.
 */
export function memoryApp(
  { backend, ...ports }: MemoryPorts,
  agents: Agents,
  policies: Policies,
): App {
  const { clock, ids, settings } = ports;
  const impatient: Clock = {
    now: () => clock.now(),
    sleep: () => settled(),
    after: (span, callback) => clock.after(span, callback),
  };
  const deadline = settings.transactionDeadline;
  const store = createStore({ backend, clock: impatient, ids, deadline });
  return composeApp({ ...ports, store }, agents, policies);
}
