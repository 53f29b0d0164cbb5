/** `npm start -- --agents examples/stock-keeper/index.ts`: see docs/mcp.md. */
export { default } from './agent.ts';
