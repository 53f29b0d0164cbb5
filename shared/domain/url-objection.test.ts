import { expect, test } from 'vitest';
import { refusedUrl } from './url-objection.ts';

test.each(['bad url', 'not https', 'credentials in url', 'private address'] as const)(
  'a caller is told by the name of the field what is wrong with a URL: %s',
  (objection) => {
    const field = 'configuration.taskPushNotificationConfig.url';
    const refusal = refusedUrl(field, objection);
    expect(refusal).toMatchObject({ code: 'INVALID_PARAMS', field });
    expect(refusal.message).toMatch(/^configuration\.taskPushNotificationConfig\.url: \w/);
  },
);
