import type { NewWebhook, ShownWebhook, TaskService, WebhookConfig } from '../app/service.ts';
import type { JsonObject } from '../domain/json.ts';
import { invalidParams, taken } from './failure.ts';
import type { RequestContext } from './request-context.ts';
import type { Call, RequestOf } from './schema.ts';
import { toldOf } from './traced.ts';

type PushOperation =
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig';

type Given = NonNullable<
  NonNullable<RequestOf<'SendMessage'>['configuration']>['taskPushNotificationConfig']
>;

/**
 * The four operations on the push notification configurations of a task (section 3.1.7 to 3.1.10).
 * A deletion has nothing to answer.
 *
 * @throws what refuses it; see failure.ts.
 */
export async function configurePush(
  asked: RequestContext,
  call: Extract<Call, { operation: PushOperation }>,
  service: TaskService,
): Promise<JsonObject> {
  const { principal, version } = asked;
  switch (call.operation) {
    case 'CreateTaskPushNotificationConfig': {
      const { request } = call;
      const webhook = webhookFromWire(request, { told: toldOf(asked, service), version });
      return configToWire(taken(await service.createWebhook(principal, request.taskId, webhook)));
    }
    case 'GetTaskPushNotificationConfig': {
      const { id, taskId } = call.request;
      if (!id && version === '1.0') {
        throw invalidParams([{ field: 'id', description: 'is required' }]);
      }
      return configToWire(taken(await service.getWebhook(principal, taskId, id || undefined)));
    }
    case 'ListTaskPushNotificationConfigs': {
      const { pageSize, pageToken, taskId } = call.request;
      const asked = { ...(pageSize && { pageSize }), ...(pageToken && { pageToken }) };
      const page = taken(await service.listWebhooks(principal, taskId, asked));
      return { configs: page.webhooks.map(configToWire), nextPageToken: page.nextPageToken };
    }
    case 'DeleteTaskPushNotificationConfig': {
      const { id, taskId } = call.request;
      taken(await service.deleteWebhook(principal, taskId, id));
      return {};
    }
  }
}

/** What came with a message or was created. Empty means unset, as in proto3. */
export function webhookFromWire(
  given: Given,
  { told, version }: Pick<NewWebhook, 'version'> & { readonly told: readonly string[] },
): NewWebhook {
  const { authentication, id, token, url } = given;
  const config: WebhookConfig = {
    url,
    ...(id && { id }),
    ...(token && { token }),
    ...(authentication && {
      authentication: {
        scheme: authentication.scheme,
        ...(authentication.credentials && { credentials: authentication.credentials }),
      },
    }),
  };
  return { ...config, ...(told.length > 0 && { extensions: told }), version };
}

function configToWire({ id, scheme, taskId, url }: ShownWebhook): JsonObject {
  return { taskId, id, url, ...(scheme !== undefined && { authentication: { scheme } }) };
}
