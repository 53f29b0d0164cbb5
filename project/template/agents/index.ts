/** The agents that this project publishes; the first one also answers at the root. */
import greeter from './greeter.ts';

export default [greeter];
