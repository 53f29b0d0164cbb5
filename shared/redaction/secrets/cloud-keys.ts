// AWS:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
// (the secret itself has no shape; it is found by its name). Google:
// https://cloud.google.com/docs/authentication/api-keys and
// https://developers.google.com/identity/protocols/oauth2#size. Azure Storage:
// https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string.
// DigitalOcean: https://docs.digitalocean.com/reference/api/create-personal-access-token/.
// HashiCorp Vault: https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes.
import { matching } from '../matching.ts';
import { tokens } from './tokens.ts';

const AWS = /[A-Z2-7]{16,124}/y;
const VAULT = /[A-Za-z0-9_-]{24,200}/y;
const DIGITAL_OCEAN = /[a-f0-9]{64}/y;

export const findCloudKeys = tokens([
  { prefix: 'AKIA', rest: AWS },
  { prefix: 'ASIA', rest: AWS },
  { prefix: 'AIza', rest: /[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y },
  { prefix: 'GOCSPX-', rest: /[A-Za-z0-9_-]{28}/y },
  { prefix: 'ya29.', rest: /[A-Za-z0-9_.-]{20,2048}/y },
  { prefix: '1//0', rest: /[A-Za-z0-9_-]{40,512}/y, word: true },
  { prefix: 'dop_v1_', rest: DIGITAL_OCEAN },
  { prefix: 'doo_v1_', rest: DIGITAL_OCEAN },
  { prefix: 'dor_v1_', rest: DIGITAL_OCEAN },
  { prefix: 'hvs.', rest: VAULT },
  { prefix: 'hvb.', rest: VAULT },
]);

export const findAzureKeys = matching(
  'secret',
  /(?:AccountKey|SharedAccessKey|SharedSecretKey)=(?<value>[A-Za-z0-9+/]{40,88}={0,2})/dg,
);
