import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { FUNCTIONS } from '../../functions/function-names.ts';
import { TERRAFORM, type Workspace } from './workspace.ts';

export const PROJECT = 'acme-agents';
export const REGION = 'europe-west1';
export const MODULE = 'modules/holdfast';
export const ROOT = '.';

export const EXAMPLES: readonly string[] = readdirSync(join(TERRAFORM, 'examples')).map(
  (name) => `examples/${name}`,
);
export const PLACES: readonly string[] = [ROOT, MODULE, ...EXAMPLES];

export function packagesOf({ folder }: Workspace): string {
  return join(folder, 'tests/fixture/packages.json');
}

/** Arguments that make a place applicable as it is. */
export function argumentsOf(workspace: Workspace, place: string): readonly string[] {
  const region = place.startsWith('examples/') ? [] : [`-var=region=${REGION}`];
  const packages =
    place === MODULE
      ? `-var=packages=${moduleValue(join(workspace.folder, 'tests/fixture/stand-in.txt'))}`
      : `-var=packages_file=${packagesOf(workspace)}`;
  return [`-var=project_id=${PROJECT}`, ...region, packages];
}

/** SHA-256 of terraform/tests/fixture/stand-in.txt. */
export const STAND_IN = '6339218fcfbe6d68283544774a1a0bfda6c8b396b6af913a1f74adffb08956ac';

function moduleValue(path: string): string {
  const one = { path, sha256: STAND_IN };
  return JSON.stringify(Object.fromEntries(FUNCTIONS.map((name) => [name, one])));
}
