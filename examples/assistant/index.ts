/**
 * `npm start -- --agents examples/assistant/index.ts --remote-private loopback`: see the README.
 */
import type { DefinedAgent } from '../../shared/agent/index.ts';
import tableProfiler from '../table-profiler/agent.ts';
import assistant from './agent.ts';

export default [assistant, tableProfiler] satisfies readonly DefinedAgent[];
