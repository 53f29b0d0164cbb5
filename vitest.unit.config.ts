import { defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/**
 * The pure tests, in threads that keep what they loaded from file to file: no process, no emulator,
 * no Terraform. What they import is loaded once a thread, and not once a file.
 */
const unit = mergeConfig(all, defineConfig({ test: { pool: 'threads', isolate: false } }));

unit.test = {
  ...unit.test,
  include: [
    'shared/{domain,store,app,agent,a2a,http,operator,redaction,remote,system}/**/*.test.ts',
    'examples/**/*.test.ts',
    'console/**/*.test.ts',
    'test/{app,edge,operator}/**/*.test.ts',
  ],
  globalSetup: [],
  maxWorkers: 2,
};

export default unit;
