import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTIONAL_PACKAGES, optional, PackageMissing } from './optional-package.ts';

function notFound(name: string, code = 'ERR_MODULE_NOT_FOUND'): Promise<never> {
  const message = `Cannot find package '${name}' imported from /project/a.js`;
  return Promise.reject(Object.assign(new Error(message), { code }));
}

test('a package that is missing is named, with the command that installs it and what goes with it', async () => {
  const refused = optional(notFound('@google-cloud/tasks'));
  await expect(refused).rejects.toBeInstanceOf(PackageMissing);
  await expect(refused).rejects.toMatchObject({
    message:
      '@google-cloud/tasks is not installed; run `npm install @google-cloud/tasks@7.1.0 @grpc/grpc-js@1.14.7`',
    packages: ['@google-cloud/tasks@7.1.0', '@grpc/grpc-js@1.14.7'],
  });
  await expect(optional(notFound('google-auth-library/build/x.js'))).rejects.toMatchObject({
    packages: ['google-auth-library@11.3.4'],
  });
});

// Made as each test begins: a rejection that stands about before would be one that nothing handles.
test.each<[string, () => Promise<never>]>([
  ['of a package that everyone has', () => notFound('zod')],
  ['of another kind', () => notFound('@google-cloud/tasks', 'ERR_OTHER')],
  ['that the module throws', () => Promise.reject(new Error('at load'))],
])('an error %s stays what it is', async (_, importing) => {
  await expect(optional(importing())).rejects.not.toBeInstanceOf(PackageMissing);
});

test('what is there is answered', async () => {
  expect(await optional(Promise.resolve(1))).toBe(1);
});

test('the versions are those of the lock', () => {
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { dependencies: Record<string, string> };
  const optionals: Record<string, string> = Object.assign({}, ...OPTIONAL_PACKAGES);
  expect(dependencies).toMatchObject(optionals);
  // A new one of these families is none that every installation should have.
  const families = Object.keys(dependencies).filter(
    (name) => /^@(google-cloud|opentelemetry)\//.test(name) && !name.endsWith('-framework'),
  );
  expect(Object.keys(optionals)).toEqual(expect.arrayContaining(families));
});
