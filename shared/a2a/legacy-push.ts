import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';

// The push notification configurations of A2A v0.3, told in the words of 1.0 and back (v0.3.0
// section 6.8 to 6.10, 7.5 to 7.8). Names come in camelCase or snake_case; what is not of the shape
// that it should be is handed on for the schema of 1.0 to refuse.

/** A PushNotificationConfig. 1.0 has one scheme; of several the one that most servers know. */
export function pushConfigFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const { authentication, id, token, url } = given;
  return {
    ...(id !== undefined && { id }),
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    ...(!isEmpty(authentication) && { authentication: authenticationFrom(authentication ?? null) }),
  };
}

/** As proto3 writes what is not there. */
const isEmpty = (given: Json | undefined): boolean =>
  given === undefined || (isJsonObject(given) && Object.keys(given).length === 0);

function authenticationFrom(given: Json): Json {
  if (!isJsonObject(given)) return given;
  const { credentials, schemes = [] } = given;
  const all: readonly Json[] = Array.isArray(schemes) ? schemes : [schemes];
  const isBearer = (each: Json) => typeof each === 'string' && each.toLowerCase() === 'bearer';
  const scheme = all.find(isBearer) ?? all[0];
  return {
    ...(scheme !== undefined && { scheme }),
    ...(credentials !== undefined && { credentials }),
  };
}

/** What `pushNotificationConfig/set` says in JSON-RPC. */
export function legacyCreate({ pushNotificationConfig = null, taskId, ...rest }: JsonObject): Json {
  const config = pushConfigFrom(pushNotificationConfig);
  if (!isJsonObject(config)) return config;
  return { ...tenantOf(rest), ...config, ...(taskId !== undefined && { taskId }) };
}

/** What the others say: the task's id, and perhaps the configuration's. */
export function legacyOfConfig({ id, pushNotificationConfigId, ...rest }: JsonObject): JsonObject {
  return {
    ...tenantOf(rest),
    ...(id !== undefined && { taskId: id }),
    ...(pushNotificationConfigId !== undefined && { id: pushNotificationConfigId }),
  };
}

const tenantOf = ({ tenant }: JsonObject): JsonObject => (tenant === undefined ? {} : { tenant });

/** The body of a POST in HTTP+JSON: with or without the proto's `config` around it. */
export function legacyRestCreate(body: JsonObject): Json {
  const outer = isJsonObject(body['config']) ? body['config'] : body;
  const given = outer['pushNotificationConfig'] ?? outer['push_notification_config'] ?? outer;
  const config = pushConfigFrom(given);
  const named = body['configId'] ?? body['config_id'];
  if (!isJsonObject(config) || named === undefined) return config;
  return { id: named, ...config };
}

/** As JSON-RPC shows it. */
export const legacyConfig = ({ taskId, ...config }: JsonObject): JsonObject => ({
  ...(taskId !== undefined && { taskId }),
  pushNotificationConfig: shown(config),
});

/** As the proto's JSON shows it: named by its place. */
export function legacyProtoConfig({ taskId, ...config }: JsonObject): JsonObject {
  const named = (id: Json | undefined) => (typeof id === 'string' ? id : '');
  const name = `tasks/${named(taskId)}/pushNotificationConfigs/${named(config['id'])}`;
  return { name, pushNotificationConfig: shown(config) };
}

function shown({ authentication, ...config }: JsonObject): JsonObject {
  if (!isJsonObject(authentication)) return config;
  return { ...config, authentication: { schemes: [authentication['scheme'] ?? null] } };
}
