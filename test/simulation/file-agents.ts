import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentContext, defineAgent } from '../../shared/agent/index.ts';
import type { Agent } from '../../shared/app/agents.ts';
import type { Clock } from '../../shared/ports/clock.ts';

const description = 'An agent of the simulation, with files.';

/** The tasks that have left a line in the folder, in their order. */
export const LOG = 'log.txt';
/** Each task of a parallel agent has a file of its own. */
export const OWN = 'own';

function addLine(ctx: AgentContext): void {
  const path = join(ctx.files.folder, LOG);
  let before = '';
  try {
    before = readFileSync(path, 'utf8');
  } catch {
    // The first task of the context.
  }
  writeFileSync(path, `${before}${ctx.taskId}\n`);
}

export const FILE_AGENTS = ['keeps', 'keeps-asking', 'keeps-parallel', 'keeps-clashing'] as const;

export function fileAgents(clock: Clock): readonly Agent[] {
  return [
    defineAgent({
      name: 'keeps',
      description,
      files: { form: 'both' },
      async run(ctx) {
        addLine(ctx);
        await clock.sleep(30, ctx.signal);
        return 'kept';
      },
    }),
    defineAgent({
      name: 'keeps-asking',
      description,
      files: true,
      run(ctx) {
        if (ctx.history.length > 0) return 'kept';
        addLine(ctx);
        return ctx.ask('which size?');
      },
    }),
    defineAgent({
      name: 'keeps-parallel',
      description,
      files: true,
      parallel: true,
      async run(ctx) {
        mkdirSync(join(ctx.files.folder, OWN), { recursive: true });
        writeFileSync(join(ctx.files.folder, OWN, ctx.taskId), ctx.taskId);
        await clock.sleep(30, ctx.signal);
        return 'kept';
      },
    }),
    defineAgent({
      name: 'keeps-clashing',
      description,
      files: true,
      parallel: true,
      async run(ctx) {
        addLine(ctx);
        await clock.sleep(30, ctx.signal);
        return 'kept';
      },
    }),
  ];
}
