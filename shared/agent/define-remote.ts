import { algorithmOf } from '../domain/jws.ts';
import type { Remote } from '../domain/remote.ts';
import { credentialProblems } from './credential-problems.ts';
import { defaults } from '../domain/settings.ts';
import { NAME_RULE, TOOL_NAME } from './define-tool.ts';

/**
 * A remote agent that an agent with a model may delegate to. Times in milliseconds, sizes in bytes.
 */
export interface RemoteDeclaration {
  /** Also the name of the tool that the model sees. */
  readonly name: string;
  /** For the model: what it is good for. */
  readonly description: string;
  /** URL of its agent card. */
  readonly card: string;
  /**
   * Public keys (JWK: P-256, Ed25519 or RSA) of which one must have signed the card; a card that
   * none of them signed is refused. Several for the time in which the remote changes its key.
   */
  readonly signedBy?: Remote['signedBy'];
  /**
   * What proves who we are: `{ scheme: 'Bearer', secret }`, `{ header: 'X-API-Key', secret }`, each
   * with the name of a secret, or `{ google: true }`; `origin` if that is not the card's own.
   */
  readonly credential?: Remote['credential'];
  /**
   * Its tasks are polled this often at first, then less and less often. Default: 15 seconds; 5 at
   * least.
   */
  readonly pollInterval?: number;
  /**
   * Its tasks are never polled more often than this, also when it pushes. Default: the setting
   * `pollMin`, 5 seconds, which also is the least.
   */
  readonly pollMin?: number;
  /**
   * Its tasks are polled this often at least; `pollMax` equal to `pollInterval` keeps the pace.
   * Default: the setting `pollMax`, 5 minutes.
   */
  readonly pollMax?: number;
  /** How long a delegation may take. Default: an hour; a day at most. */
  readonly deadline?: number;
  /** Default: 1 MiB for one message, and for one answer. */
  readonly messageBytes?: number;
  readonly answerBytes?: number;
  /** A person must approve each message. Default: true. */
  readonly approval?: boolean;
  /** Asks it to tell us when its task changes. Default: false. */
  readonly push?: boolean;
}

const NUMBERS = [
  'pollInterval',
  'pollMin',
  'pollMax',
  'deadline',
  'messageBytes',
  'answerBytes',
] as const;
const SWITCHES = ['approval', 'push'] as const;

/**
 * Declares a remote agent. Throws TypeError that lists everything that is wrong with the
 * declaration.
 */
export function defineRemote(declaration: RemoteDeclaration): Remote {
  const problems = remoteProblems(declaration);
  if (problems.length > 0)
    throw new TypeError(`remote ${JSON.stringify(declaration.name)}: ${problems.join(' ')}`);
  const { dependencyDeadline, dependencyDeadlineMax, pollMin, remoteMessage } = defaults;
  const { card, credential, description, name, signedBy } = declaration;
  const { pollMin: least, pollMax: most } = declaration;
  const { pollInterval = defaults.pollInterval, deadline = dependencyDeadline } = declaration;
  return {
    name,
    description,
    card,
    ...(signedBy && { signedBy }),
    ...(credential && { credential }),
    pollInterval: Math.max(pollInterval, pollMin),
    ...(least !== undefined && { pollMin: least }),
    ...(most !== undefined && { pollMax: most }),
    deadline: Math.min(deadline, dependencyDeadlineMax),
    messageBytes: declaration.messageBytes ?? remoteMessage,
    answerBytes: declaration.answerBytes ?? remoteMessage,
    approval: declaration.approval ?? true,
    push: declaration.push ?? false,
  };
}

function remoteProblems(declaration: RemoteDeclaration): readonly string[] {
  const { card, credential, description, name, signedBy } = declaration;
  const wrong = (fits: boolean, words: string): readonly string[] => (fits ? [] : [words]);
  return [
    ...wrong(typeof name === 'string' && TOOL_NAME.test(name), NAME_RULE),
    ...wrong(isWords(description), 'description is missing.'),
    ...wrong(isWebAddress(card), 'card must be an http or https URL.'),
    ...wrong(
      signedBy === undefined || arePublicKeys(signedBy),
      'signedBy must be a list of public keys as JWK, each on P-256, Ed25519, or RSA of 2048 bits or more.',
    ),
    ...credentialProblems(credential),
    ...NUMBERS.flatMap((key) =>
      wrong(
        declaration[key] === undefined || isPositive(declaration[key]),
        `${key} must be a whole number above zero.`,
      ),
    ),
    ...wrong(
      inOrder(declaration.pollMin, declaration.pollInterval, declaration.pollMax),
      'pollMin may not be above pollInterval, nor pollInterval above pollMax.',
    ),
    ...SWITCHES.flatMap((key) =>
      wrong(
        ['undefined', 'boolean'].includes(typeof declaration[key]),
        `${key} must be true or false.`,
      ),
    ),
  ];
}

function arePublicKeys(given: Remote['signedBy'] & {}): boolean {
  // JavaScript may hand anything over.
  if (!Array.isArray(given) || given.length === 0) return false;
  return given.every((jwk: unknown) => isRecord(jwk) && algorithmOf(jwk) !== undefined);
}

const isRecord = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null;

/** Of those that are given. */
function inOrder(...given: readonly unknown[]): boolean {
  const numbers = given.filter(isPositive).map(Number);
  return numbers.every((value, at) => at === 0 || (numbers[at - 1] ?? 0) <= value);
}

const isWords = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

function isWebAddress(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    URL.canParse(value) &&
    ['http:', 'https:'].includes(new URL(value).protocol)
  );
}
