/** Where the package is put together, below the project. */
export const FOLDER = 'dist/package';

/** What a project imports, by its path in the package. */
export const ENTRIES: Readonly<Record<string, string>> = {
  './agent': 'shared/agent/index',
  './executor': 'shared/executor/index',
  './models': 'shared/models/index',
  './task-store': 'shared/task-store/index',
  './testing': 'testing/index',
};

export const COMMAND = 'functions/cli/main';
/** Started by their names. */
export const PROCESSES = [
  'functions/agent-process',
  'functions/check-upgrade/replay-thread',
  'project/dev/check-agents',
  'project/dev/serve',
  'shared/embedded/wal-thread',
];

/**
 * Left out, although it is imported. The agents are the project's own: a bundle has them in place
 * of this module. The console is bundled when the package is made.
 */
export const isLeftOut = (file: string): boolean =>
  file.startsWith('agents/') || file === 'functions/console/bundle.js';

/** On which Node releases the test of the package runs. */
export const NODE = '^22.18.0 || >=24.0.0';
