import type { Finding } from '../finding.ts';
import { findAssignments } from './assignments.ts';
import { findAuthorization } from './authorization.ts';
import { findAzureKeys, findCloudKeys } from './cloud-keys.ts';
import { findCodeHostTokens } from './code-hosts.ts';
import { findMentions } from './mentions.ts';
import { findMessagingKeys } from './messaging.ts';
import { findModelKeys } from './model-keys.ts';
import { findPaymentKeys } from './payments.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findUrlPasswords } from './url-passwords.ts';
import { findWebTokens } from './web-tokens.ts';

const FINDERS = [
  findCloudKeys,
  findAzureKeys,
  findCodeHostTokens,
  findMessagingKeys,
  findPaymentKeys,
  findModelKeys,
  findWebTokens,
  findPrivateKeys,
  findUrlPasswords,
  findAuthorization,
  findAssignments,
  findMentions,
];

export function findSecrets(text: string): readonly Finding[] {
  return FINDERS.flatMap((find) => find(text));
}
