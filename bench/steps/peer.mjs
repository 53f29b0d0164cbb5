// The workflow of agent.ts on DBOS Transact, as its guides set it up, behind the smallest HTTP server
// that answers as ours does: a blocking call starts the workflow in this process and waits for its
// result.
//   node bench/steps/peer.mjs <database URL>
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { DBOS } from '@dbos-inc/dbos-sdk';

async function stepper(count) {
  let sum = 0;
  for (let step = 1; step <= count; step += 1) {
    const { value } = await DBOS.runStep(async () => ({ step, value: step * step }), {
      name: `step ${step}`,
    });
    sum += value;
  }
  return `${count} steps: ${sum}`;
}

const workflow = DBOS.registerWorkflow(stepper, { name: 'stepper' });
DBOS.setConfig({ name: 'stepper', systemDatabaseUrl: process.argv[2], logLevel: 'error' });
await DBOS.launch();

async function answer(request) {
  const { id, params } = JSON.parse(await text(request));
  const handle = await DBOS.startWorkflow(workflow)(Number(params.message.parts[0].text));
  const message = { parts: [{ text: await handle.getResult() }] };
  const status = { state: 'TASK_STATE_COMPLETED', message };
  return { jsonrpc: '2.0', id, result: { task: { id: handle.workflowID, status } } };
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    (error) => response.writeHead(500).end(String(error)),
  );
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`peer ready http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
