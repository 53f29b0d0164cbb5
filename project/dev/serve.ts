// A process of `holdfast dev`: the server, which ends with its parent however that ends.
import { startCommand } from '../../functions/start/start.ts';

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.exitCode = await startCommand(process.argv.slice(2));
// It did not start: the channel alone would keep the process.
if (process.exitCode !== 0) process.disconnect();
