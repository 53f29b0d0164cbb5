import { machineClass } from './machine.ts';

export function introduction(): string {
  return `# Benchmark

Written by \`npm run bench\`; do not edit.

Holdfast, embedded (\`npm start\`), against the official SDK (@a2a-js/sdk 1.3.0): its \`DefaultRequestHandler\` with its own
\`DatabaseTaskStore\` over better-sqlite3 13.2.0. Both in WAL mode with \`synchronous = NORMAL\`, both over HTTP in a process of
their own, the load from a third; they take turns, so that a change of the machine's mood meets both. Their agents say the same
words in the same order. Machine: ${machineClass()}. "CPU" is the processor time of the server, which a busy machine
changes less than times: where the load below is above the number of cores, compare CPU, and only between the two servers.`;
}

export const limits = `## What this does not measure

- Google Cloud: Firestore, Cloud Tasks and cold starts there have other costs, which \`budgets.json\` counts instead.
- The same promises. Holdfast commits each step before it is shown, seals content, keeps a journal and an archive and survives the
  loss of its process; the SDK's handler does none of this, so its short tasks are less work.
- Durability against a power cut (\`--sync full\`): neither flushes at each commit here, but for the rows of durable steps that say so.
- Agents that do something: a model's seconds hide all of this.
- Other clients than one on the same machine: it takes a part of the same cores.
- Many callers, authentication, large files, long histories of one context, push notifications, REST, v0.3.`;
