import type { Plugin } from 'esbuild';

/**
 * The client of MCP servers comes with a validator of JSON Schema for what tools answer, a third of
 * its size. Ours is given another, which lets the model judge (shared/mcp/connection.ts).
 */
export const noValidator: Plugin = {
  name: 'no-validator',
  setup(build) {
    const filter = /[\\/]@modelcontextprotocol[\\/]client[\\/]dist[\\/]shimsNode\.mjs$/;
    build.onLoad({ filter }, () => ({
      contents: 'export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}',
    }));
  },
};
