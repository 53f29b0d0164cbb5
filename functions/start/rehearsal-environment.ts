import { CONFIGURATION, OPTIONS } from '../configuration.ts';
import { type FunctionName, WAITING } from '../function-names.ts';
import type { Option } from '../option.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a process needs on any machine, and where its lines go; none of these is a secret. */
const OF_THE_MACHINE =
  /^(?:PATH|HOME|USER|SHELL|TERM|PWD|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|NODE_\w+|SSL_CERT_\w+|(?:HTTPS?|NO|ALL)_PROXY|METADATA_SERVER_DETECTION)$/i;

const TABLE: ReadonlyMap<string, Option> = new Map(OPTIONS.map((each) => [each.variable, each]));
/** Read wherever the services are opened, or traces are sent. */
const EVERYWHERE: ReadonlySet<Option> = new Set([
  ...CONFIGURATION['In place of Google’s services'],
  ...CONFIGURATION.Traces,
]);

/**
 * What one function of the rehearsal is given of the developer's environment: what it would have
 * when it is deployed, by the table of configuration. Variables that the table does not know, a
 * provider's key or the secret of a remote agent, go to those that run agents or call remotes.
 */
export function environmentFor(name: FunctionName, environment: Environment): Environment {
  return filtered(environment, (variable) => {
    if (OF_THE_MACHINE.test(variable)) return true;
    const option = TABLE.get(variable);
    if (option === undefined) return WAITING.includes(name);
    return EVERYWHERE.has(option) || option.functions?.includes(name) === true;
  });
}

/** Of what the rehearsal sets for its functions: without what the deployed one does not get. */
export function variablesFor(
  name: FunctionName,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return filtered(variables, (variable) => {
    const functions = TABLE.get(variable)?.functions;
    return functions === undefined || functions.includes(name);
  });
}

function filtered<T>(
  all: Readonly<Record<string, T>>,
  keeps: (name: string) => boolean,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => keeps(name)));
}
