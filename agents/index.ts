/**
 * The agents that this deployment publishes; the first one also answers at the root. Edit this
 * list, or name another module with --agents.
 */
import type { DefinedAgent } from 'holdfast/agent';
import tableProfiler from '../examples/table-profiler/agent.ts';

export default [tableProfiler] satisfies readonly DefinedAgent[];
