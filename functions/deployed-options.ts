import { ASKING, CALLED, FUNCTIONS, WAITING } from './function-names.ts';
import { deployed, type Option } from './option.ts';

/** What Terraform tells the functions of the resources around them. */
export const OF_FUNCTIONS: readonly Option[] = [
  {
    variable: 'HOLDFAST_BUCKET',
    value: 'name',
    ...deployed,
    meaning: 'bucket for large content and the archive',
  },
  {
    variable: 'HOLDFAST_KMS',
    value: 'name',
    ...deployed,
    meaning: 'full name of the key that wraps data keys',
  },
  {
    variable: 'HOLDFAST_LOCATION',
    value: 'region',
    ...deployed,
    meaning: 'location of the queues',
  },
  {
    variable: 'HOLDFAST_QUEUE_PREFIX',
    value: 'name',
    ...deployed,
    meaning: 'queues are named prefix-class-shard, with the generation behind it',
  },
  {
    variable: 'HOLDFAST_QUEUE_SHARDS',
    value: 'number',
    ...deployed,
    meaning: 'shards of each queue class',
  },
  {
    variable: 'HOLDFAST_QUEUE_GENERATION',
    value: 'name',
    ...deployed,
    meaning: 'generation in the names of the queues',
  },
  {
    variable: 'HOLDFAST_WORKER_URL',
    value: 'url',
    ...deployed,
    meaning: 'where wake-ups of the class runs are delivered',
  },
  {
    variable: 'HOLDFAST_PROJECTOR_URL',
    value: 'url',
    ...deployed,
    meaning: 'where wake-ups of the class projections are delivered',
  },
  {
    variable: 'HOLDFAST_COORDINATOR_URL',
    value: 'url',
    ...deployed,
    meaning: 'where wake-ups of the class polls are delivered',
  },
  {
    variable: 'HOLDFAST_PUSH_URL',
    value: 'url',
    ...deployed,
    meaning: 'where wake-ups of the class pushes are delivered',
  },
  {
    variable: 'HOLDFAST_INVOKER',
    value: 'address',
    ...deployed,
    meaning: 'service account whose token a delivery carries',
  },
  {
    variable: 'HOLDFAST_AUDIENCE',
    value: 'url',
    functions: ASKING,
    required: true,
    meaning: "the function's own address, for which a caller's token is made out",
  },
  {
    variable: 'HOLDFAST_CALLERS',
    value: 'iam|iap|signature',
    functions: ASKING,
    required: true,
    meaning:
      'who checks the token of a caller: Cloud Run, the proxy, or the code itself by its signature',
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
    meaning: 'what finds personal data; dlp is Sensitive Data Protection',
  },
  {
    variable: 'HOLDFAST_IAP_AUDIENCE',
    value: 'audience',
    functions: ['a2a', 'operator'],
    meaning: "audience of Identity-Aware Proxy's header, where that stands before the function",
  },
  {
    variable: 'HOLDFAST_GCLOUD_USERS',
    value: 'true',
    functions: ['a2a', 'operator'],
    meaning: 'take the tokens that gcloud prints for a person, which other services can have seen',
  },
  {
    variable: 'HOLDFAST_REMOTE_FILES',
    value: 'folder',
    functions: WAITING,
    meaning:
      'credentials for remote agents, mounted as files `<name>/value`; else environment variables',
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
