/** Where emulators stand in for Google's services; unset in a deployment. */
export const EMULATORS = {
  storage: 'HOLDFAST_STORAGE_ENDPOINT',
  tasks: 'HOLDFAST_TASKS_ENDPOINT',
  kms: 'HOLDFAST_KMS_ENDPOINT',
  dlp: 'HOLDFAST_DLP_ENDPOINT',
  issuer: 'HOLDFAST_TOKEN_ISSUER',
  keys: 'HOLDFAST_TOKEN_KEYS_URL',
} as const;
