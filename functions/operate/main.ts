import { operateCommand } from './operate.ts';

process.exitCode = await operateCommand(process.argv.slice(2));
