import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { bundle } from '../../project/build/bundle.ts';
import { withImports } from '../../project/build/inline-json.ts';
import { loadedAtStart } from '../../project/build/loaded-at-start.ts';
import { projectWith } from '../tooling/project-fixture.ts';
import { PROJECT } from './unpack.ts';

const PROBE = `
const { Storage } = await import('@google-cloud/storage');
const { CloudTasksClient } = await import('@google-cloud/tasks');
const { grpc } = await import('google-gax');
const { HttpsProxyAgent } = await import('https-proxy-agent');
const sslCreds = grpc.credentials.createInsecure();
const tasks = new CloudTasksClient({ apiEndpoint: '127.0.0.1', port: 1, sslCreds, projectId: 'p' });
await tasks.initialize();
const bucket = new Storage({ projectId: 'p', apiEndpoint: 'http://127.0.0.1:1' }).bucket('b');
console.log(JSON.stringify({
  bucket: bucket.name,
  calls: Object.keys(tasks.innerApiCalls).includes('createTask'),
  proxy: typeof HttpsProxyAgent,
}));
`;

test('clients of Storage, Tasks and a proxy work from a bundle with nothing installed beside it, and wait to be asked for', async () => {
  const root = projectWith({ 'functions/probe/index.ts': PROBE, 'package.json': '{}' });
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'), 'junction');
  const { files, metafile } = await bundle({ root, name: 'probe' });
  const loaded = [...loadedAtStart(metafile)].filter((input) => input.includes('node_modules'));
  expect(loaded).toEqual([]);
  expect(Object.keys(metafile.inputs).join()).toMatch(
    /@google-cloud\/tasks\/.*@google-cloud\/storage|@google-cloud\/storage\/.*@google-cloud\/tasks/,
  );

  const out = projectWith({ 'package.json': '{"type":"module"}' });
  for (const [path, contents] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), contents);
  }
  const env = { METADATA_SERVER_DETECTION: 'none' };
  const stdout = execFileSync(process.execPath, [join(out, 'index.js')], { env, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual({ bucket: 'b', calls: true, proxy: 'function' });
}, 120_000);

describe('JSON that a client reads by path', () => {
  it('becomes an import in a module, and a require in CommonJS', () => {
    const read = "path.join(dirname, '..', 'protos/protos.json')";
    expect(withImports(`import path from 'path';\nconst p = getJSON(${read});`, '/c/v2/a.js')).toBe(
      `import path from 'path';\nconst p = inlinedJson0;\nimport inlinedJson0 from "../protos/protos.json";\n`,
    );
    const babel = '(0, _jsonHelper.getJSON)(_path["default"].join(dirname, "b.json"))';
    expect(withImports(`const p = ${babel};`, '/c/v2/a.cjs')).toBe(
      'const p = require("./b.json");\n',
    );
  });

  it('stops the build when it is read in a way that was not seen yet', () => {
    const unknown = `import { getJSON } from './json-helper.cjs';\nconst p = getJSON(somewhere);`;
    expect(() => withImports(unknown, '/c/a.js')).toThrow('/c/a.js reads JSON in a form');
  });

  it('is read so by every generated client that is installed', () => {
    const require = createRequire(join(PROJECT, 'package.json'));
    const entry = require.resolve('@google-cloud/tasks');
    for (const file of ['v2/cloud_tasks_client.cjs', '../../esm/src/v2/cloud_tasks_client.js']) {
      const path = join(dirname(entry), file);
      const source = readFileSync(path, 'utf8');
      expect(source).toContain('getJSON');
      expect(withImports(source, path)).toContain('protos/protos.json"');
    }
  });
});
