import { execFileSync } from 'node:child_process';
import { globSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const IN_SDK = 'platform/cloud-firestore-emulator/*.jar';
const IN_FIREBASE_CACHE = '.cache/firebase/emulators/cloud-firestore-emulator-*.jar';

export const HOW_TO_GET_IT = `These tests run against Google's Firestore emulator and found none. Do one of these:
  - install it with the Google Cloud CLI: gcloud components install cloud-firestore-emulator
    (or the package google-cloud-cli-firestore-emulator), or with the Firebase CLI:
    npx firebase-tools setup:emulators:firestore
  - set FIRESTORE_EMULATOR_JAR to its jar file
  - start it yourself and set FIRESTORE_EMULATOR_HOST=127.0.0.1:PORT
It needs Java 11 or newer as \`java\` on the PATH (or under JAVA_HOME).`;

/** The emulator's jar: named outright, of the Google Cloud CLI, or of the Firebase CLI. */
export function findJar(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['FIRESTORE_EMULATOR_JAR'];
  if (named !== undefined && named !== '') return named;
  const patterns = [
    ...sdkFolders(env).map((folder) => join(folder, IN_SDK)),
    join(homedir(), IN_FIREBASE_CACHE),
  ];
  for (const pattern of patterns) {
    // The Firebase CLI keeps each version that it ever fetched.
    const newest = globSync(pattern).toSorted(byVersion).at(-1);
    if (newest !== undefined) return newest;
  }
  return undefined;
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function sdkFolders(env: NodeJS.ProcessEnv): string[] {
  const usual = [
    '/usr/lib/google-cloud-sdk',
    '/usr/share/google-cloud-sdk',
    '/opt/google-cloud-sdk',
    '/opt/homebrew/share/google-cloud-sdk',
    '/usr/local/share/google-cloud-sdk',
    '/snap/google-cloud-cli/current',
    join(homedir(), 'google-cloud-sdk'),
  ];
  return [env['CLOUDSDK_ROOT_DIR'] ?? [], folderOf('gcloud'), usual].flat();
}

/** Packages put a link on the PATH; the folder is where the link leads. */
function folderOf(command: string): string[] {
  const finder = process.platform === 'win32' ? 'where' : 'which';
  try {
    const found = execFileSync(finder, [command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [first = ''] = found.split(/\r?\n/);
    return first === '' ? [] : [dirname(dirname(realpathSync(first)))];
  } catch {
    return [];
  }
}
