/**
 * What the pattern redactor finds, in the names of
 * https://cloud.google.com/sensitive-data-protection/docs/infotypes-reference. Named one by one:
 * what the service would look for by itself changes over time. Names of persons and streets can be
 * added.
 */
export const DEFAULT_INFO_TYPES: readonly string[] = [
  'EMAIL_ADDRESS',
  'PHONE_NUMBER',
  'IBAN_CODE',
  'CREDIT_CARD_NUMBER',
  'AUTH_TOKEN',
  'AWS_CREDENTIALS',
  'AZURE_AUTH_TOKEN',
  'BASIC_AUTH_HEADER',
  'ENCRYPTION_KEY',
  'GCP_API_KEY',
  'GCP_CREDENTIALS',
  'HTTP_COOKIE',
  'JSON_WEB_TOKEN',
  'OAUTH_CLIENT_SECRET',
  'PASSWORD',
];

/** https://cloud.google.com/sensitive-data-protection/docs/likelihood */
export type Likelihood = 'VERY_UNLIKELY' | 'UNLIKELY' | 'POSSIBLE' | 'LIKELY' | 'VERY_LIKELY';
