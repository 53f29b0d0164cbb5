import { http } from '@google-cloud/functions-framework';
import { queueFunction } from '../queue-function.ts';

/** Runs one segment of one run, for each wake-up of the queue `runs`. */
http('worker', queueFunction('worker', ['run', 'check-lease', 'deadline']));
