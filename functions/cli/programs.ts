/** A command with a command line of its own, read when it is called. Its `--help` says the rest. */
interface Program {
  readonly name: string;
  readonly takes?: string;
  readonly summary: string;
  /** What its `--help` says. */
  help(): Promise<string>;
  /** Answers with the exit code. */
  load(): Promise<(args: readonly string[]) => Promise<number>>;
}

/** What authors do in a repository of their own, in the order in which they do it. */
export const PROGRAMS: readonly Program[] = [
  {
    name: 'init',
    takes: '<folder>',
    summary: 'writes a project into a new folder: an agent, its test, its deployment',
    help: async () => (await import('../../project/init/command.ts')).HELP,
    load: async () => (await import('../../project/init/command.ts')).initCommand,
  },
  {
    name: 'dev',
    summary: 'serves the agents on this machine, and again after each change to their sources',
    help: async () => (await import('../../project/dev/command.ts')).HELP,
    load: async () => (await import('../../project/dev/command.ts')).devCommand,
  },
  {
    name: 'start',
    summary: 'serves the agents on this machine',
    help: async () => (await import('../start/help.ts')).HELP,
    load: async () => (await import('../start/start.ts')).startCommand,
  },
  {
    name: 'check-upgrade',
    summary: 'says which open runs would go another way with the agents as they are now',
    help: async () => (await import('../check-upgrade/arguments.ts')).HELP,
    load: async () => (await import('../check-upgrade/command.ts')).checkUpgradeCommand,
  },
  {
    name: 'build',
    summary: 'packs the functions with the agents for Google Cloud',
    help: async () => (await import('../../project/build/command.ts')).HELP,
    load: async () => (await import('../../project/build/command.ts')).buildCommand,
  },
  {
    name: 'deploy',
    summary: 'builds, shows what Terraform would change, applies it after a yes, and tries it',
    help: async () => (await import('../../project/deploy/command.ts')).HELP,
    load: async () => (await import('../../project/deploy/command.ts')).deployCommand,
  },
];
