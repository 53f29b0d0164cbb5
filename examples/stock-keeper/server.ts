/**
 * An MCP server, as anyone could have written it: it knows nothing of Holdfast. What it has in
 * stock is as at first when it starts again.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const stock = new Map([
  ['lamp', 4],
  ['chair', 0],
]);

function stockServer(): McpServer {
  const server = new McpServer({ name: 'stock', version: '1.0.0' });
  const article = z.string().describe('One article, in the singular.');
  const left = z.object({ article: z.string(), left: z.number() });
  const answer = (name: string) => {
    const structuredContent = { article: name, left: stock.get(name) ?? 0 };
    const text = JSON.stringify(structuredContent);
    return { structuredContent, content: [{ type: 'text' as const, text }] };
  };
  server.registerTool(
    'count',
    {
      description: 'How many of an article are in stock.',
      inputSchema: z.object({ article }),
      outputSchema: left,
      annotations: { readOnlyHint: true },
    },
    ({ article: name }) => answer(name),
  );
  // It says nothing of its effects: so it must not run twice, and waits for an approval.
  server.registerTool(
    'take',
    {
      description: 'Takes articles out of stock.',
      inputSchema: z.object({ article, count: z.number().int().positive() }),
      outputSchema: left,
    },
    ({ article: name, count }) => {
      const now = stock.get(name) ?? 0;
      if (now < count) {
        const text = `There are only ${now} of ${name}.`;
        return { isError: true, content: [{ type: 'text', text }] };
      }
      stock.set(name, now - count);
      return answer(name);
    },
  );
  return server;
}

serveStdio(stockServer);
