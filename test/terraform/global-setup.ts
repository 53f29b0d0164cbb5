import type { TestProject } from 'vitest/node';
import { findBinary } from './find-binary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Terraform command; empty when there is none. */
    readonly terraform: string;
  }
}

/** Before the test files, because several of them need the binary and only one should build it. */
export default async function setup(project: TestProject): Promise<void> {
  const { testFiles } = await project.globTestFiles(project.vitest.filenamePattern);
  const wanted = testFiles.some((file) => file.includes('test/terraform/'));
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const binary = wanted ? findBinary(say) : undefined;
  if (wanted && binary === undefined) say('terraform: binary not available, static check only');
  project.provide('terraform', binary ?? '');
}
