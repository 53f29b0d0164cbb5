/**
 * `npm start -- --agents examples/assistant/index.ts --remote-private loopback`: see the README.
 */
import type { DefinedAgent } from 'holdfast/agent';
import tableProfiler from '../table-profiler/agent.ts';
import assistant from './agent.ts';

export default [assistant, tableProfiler] satisfies readonly DefinedAgent[];
