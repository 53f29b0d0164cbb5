/** `npm start -- --agents examples/letter-sorter/index.ts`: see docs/models.md. */
export { default } from './agent.ts';
