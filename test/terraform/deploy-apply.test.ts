import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deployCommand } from '../../project/deploy/command.ts';
import { startInProcess } from '../e2e/in-process.ts';
import { askBinary } from './ask-binary.ts';

const binary = await askBinary();

/** As little as a deployment is to the command: something to be made, and where it answers. */
const CONFIGURATION = `
variable "endpoint" { type = string }
resource "terraform_data" "service" { input = var.endpoint }
output "endpoint" { value = terraform_data.service.output }
`;

describe.runIf(binary !== '')('holdfast deploy with the real terraform', () => {
  test('applies its plan, has a message answered where the state says, and changes nothing when it is run again', {
    timeout: 120_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-deploy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const server = await startInProcess({ folder: join(folder, 'data') });
    onTestFinished(() => server.close());
    const terraform = join(folder, 'terraform');
    mkdirSync(terraform);
    writeFileSync(join(terraform, 'main.tf'), CONFIGURATION);
    writeFileSync(join(terraform, 'terraform.tfvars'), `endpoint = "${server.url}"\n`);
    if (isAbsolute(binary))
      vi.stubEnv('PATH', `${dirname(binary)}${delimiter}${process.env['PATH'] ?? ''}`);
    vi.stubEnv('CHECKPOINT_DISABLE', '1');
    // None of the developer's own.
    writeFileSync(join(folder, 'terraform.rc'), '');
    vi.stubEnv('TF_CLI_CONFIG_FILE', join(folder, 'terraform.rc'));
    vi.stubEnv('HOLDFAST_IDENTITY_TOKEN', '');
    const cwd = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(cwd));
    const said: string[] = [];
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    onTestFinished(() => {
      out.mockRestore();
      vi.unstubAllEnvs();
    });

    const deploy = (...args: readonly string[]) =>
      deployCommand(['--terraform', 'terraform', '--text', 'steps=1', ...args], {
        ask: undefined,
        build: () => Promise.resolve(0),
      });
    expect(await deploy('--yes')).toBe(0);
    expect(said.join('')).toMatch(/ok {3}the card of scripted at http/);
    expect(said.join('')).toContain('TASK_STATE_COMPLETED');
    // Nothing is changed, so nothing is asked, and the deployment is tried all the same.
    said.length = 0;
    expect(await deploy()).toBe(0);
    expect(said.join('')).toContain('TASK_STATE_COMPLETED');
  });
});
