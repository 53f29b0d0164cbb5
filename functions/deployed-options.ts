import { ASKING, CALLED, FUNCTIONS, WAITING } from './function-names.ts';
import { deployed, type Option } from './option.ts';

/** What Terraform tells the functions of the resources around them. */
export const OF_FUNCTIONS: readonly Option[] = [
  {
    variable: 'HOLDFAST_BUCKET',
    value: 'name',
    ...deployed,
    meaning: 'name of the bucket that holds large content, files and the archive',
  },
  {
    variable: 'HOLDFAST_KMS',
    value: 'name',
    ...deployed,
    meaning: 'full name of the Cloud KMS key that encrypts the data key of each run',
  },
  {
    variable: 'HOLDFAST_LOCATION',
    value: 'region',
    ...deployed,
    meaning: 'region that the queues are in',
  },
  {
    variable: 'HOLDFAST_QUEUE_PREFIX',
    value: 'name',
    ...deployed,
    meaning:
      'first part of the names of the queues, which are `<prefix>-<class>-<shard>` and the generation',
  },
  {
    variable: 'HOLDFAST_QUEUE_SHARDS',
    value: 'number',
    ...deployed,
    meaning: 'how many queues each class has; work is spread over them',
  },
  {
    variable: 'HOLDFAST_QUEUE_GENERATION',
    value: 'name',
    ...deployed,
    meaning: 'last part of the names of the queues; with a new one they are new queues',
  },
  {
    variable: 'HOLDFAST_WORKER_URL',
    value: 'url',
    ...deployed,
    meaning: 'URL of the worker, which the queues of the class runs call',
  },
  {
    variable: 'HOLDFAST_PROJECTOR_URL',
    value: 'url',
    ...deployed,
    meaning: 'URL of the projector, which the queues of the class projections call',
  },
  {
    variable: 'HOLDFAST_COORDINATOR_URL',
    value: 'url',
    ...deployed,
    meaning: 'URL of the coordinator, which the queues of the class polls call',
  },
  {
    variable: 'HOLDFAST_PUSH_URL',
    value: 'url',
    ...deployed,
    meaning: 'URL of the push function, which the queues of the class pushes call',
  },
  {
    variable: 'HOLDFAST_INVOKER',
    value: 'address',
    ...deployed,
    meaning: 'service account whose identity token the queues send with each call',
  },
  {
    variable: 'HOLDFAST_AUDIENCE',
    value: 'url',
    functions: ASKING,
    required: true,
    meaning: "the function's own URL, which must be the audience of a caller's token",
  },
  {
    variable: 'HOLDFAST_CALLERS',
    value: 'iam|iap|signature',
    functions: ASKING,
    required: true,
    meaning:
      'what checks the token of a caller: Cloud Run (iam), Identity-Aware Proxy (iap), or the function itself by the signature',
  },
  {
    variable: 'HOLDFAST_CALLER',
    value: 'address',
    functions: CALLED,
    required: true,
    meaning: 'the one service account that may call the function',
  },
  {
    variable: 'HOLDFAST_REDACTOR',
    value: 'patterns|dlp',
    fallback: 'patterns',
    functions: FUNCTIONS,
    meaning:
      'what finds personal data in texts that are redacted: patterns of our own, or Sensitive Data Protection (dlp)',
  },
  {
    variable: 'HOLDFAST_IAP_AUDIENCE',
    value: 'audience',
    functions: ['a2a', 'operator'],
    meaning:
      'audience that the token of Identity-Aware Proxy must have, where the proxy stands before the function',
  },
  {
    variable: 'HOLDFAST_GCLOUD_USERS',
    value: 'true',
    functions: ['a2a', 'operator'],
    meaning:
      'also accept the tokens that gcloud prints for a person, which other services may have seen',
  },
  {
    variable: 'HOLDFAST_REMOTE_FILES',
    value: 'folder',
    functions: WAITING,
    meaning:
      'folder in which each secret for remote agents and MCP servers is a file, `<name>/value`; without it, secrets are environment variables',
  },
];

const ON_THIS_MACHINE = '`npm start -- --store google` sets it for its functions';

/** Where Google's services are, if not where they always are. */
export const OF_EMULATORS: readonly Option[] = [
  {
    variable: 'FIRESTORE_EMULATOR_HOST',
    value: 'host:port',
    elsewhere: 'everything that opens Firestore',
    meaning: "Firestore's emulator in place of Firestore",
  },
  {
    variable: 'FIRESTORE_EMULATOR_JAR',
    value: 'file',
    elsewhere: 'tests and `npm start -- --store google`',
    meaning: 'the emulator to start, where the Google Cloud CLI has none',
  },
  {
    variable: 'HOLDFAST_STORAGE_ENDPOINT',
    value: 'url',
    elsewhere: ON_THIS_MACHINE,
    meaning: 'Cloud Storage, or what stands in for it',
  },
  {
    variable: 'HOLDFAST_TASKS_ENDPOINT',
    value: 'url',
    elsewhere: ON_THIS_MACHINE,
    meaning: 'Cloud Tasks, or what stands in for it',
  },
  {
    variable: 'HOLDFAST_KMS_ENDPOINT',
    value: 'url',
    elsewhere: ON_THIS_MACHINE,
    meaning: 'Cloud KMS, or what stands in for it',
  },
  {
    variable: 'HOLDFAST_DLP_ENDPOINT',
    value: 'url',
    elsewhere: 'the functions',
    meaning: 'Sensitive Data Protection, or what stands in for it',
  },
  {
    variable: 'HOLDFAST_TOKEN_ISSUER',
    value: 'url',
    elsewhere: ON_THIS_MACHINE,
    meaning: 'who makes out the tokens of callers',
  },
  {
    variable: 'HOLDFAST_TOKEN_KEYS_URL',
    value: 'url',
    elsewhere: ON_THIS_MACHINE,
    meaning: 'where the keys of that issuer are',
  },
];
