import type { Group, Page } from './pages.ts';

const ABOUT = `# Holdfast

> Durable A2A (Agent2Agent) agents on request-billed functions, in TypeScript. A task that says
> COMPLETED has its result; a run that waits for a person or a remote agent holds nothing; a lost
> answer never starts remote work twice.
`;

/** An index of the pages for readers that are programs (llmstxt.org). */
export function llmsText(groups: readonly Group[], link = ({ file }: Page) => file): string {
  const sections = groups.map(({ title, pages }) => {
    const items = pages.map((page) => `- [${page.title}](${link(page)}): ${page.about}`);
    return `## ${title}\n\n${items.join('\n')}\n`;
  });
  return [ABOUT, ...sections].join('\n');
}
