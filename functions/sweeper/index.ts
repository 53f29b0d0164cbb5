import { http } from '@google-cloud/functions-framework';
import { sweepFunction } from '../sweep-function.ts';

/** Acts on what is due, each time that the scheduler calls (G24). */
http('sweeper', sweepFunction());
