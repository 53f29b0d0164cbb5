import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { findBinary } from './find-binary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for the Terraform command. */
    readonly terraformDesk: string;
  }
}

/**
 * The binary is looked for, and built if need be, when the first test file asks: here, where there
 * is one process, and not when other tests run.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  let finding: Promise<string | undefined> | undefined;
  const say = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const find = async (): Promise<string | undefined> => {
    const binary = await findBinary(say);
    if (binary === undefined && process.env['HOLDFAST_NEEDS_TERRAFORM'] === 'true')
      throw new Error('HOLDFAST_NEEDS_TERRAFORM is set, and there is no terraform here');
    if (binary === undefined) say('terraform: binary not available, static check only');
    return binary;
  };
  const desk = createServer((_request, response) => {
    finding ??= find();
    finding.then(
      (binary = '') => response.end(binary),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  desk.unref();
  const address = desk.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  project.provide('terraformDesk', `http://127.0.0.1:${address.port}/`);
  return () => {
    desk.close();
  };
}
