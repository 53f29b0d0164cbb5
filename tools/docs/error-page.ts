import { ERRORS as REQUESTS } from '../../shared/a2a/error-table.ts';
import type { FailureCode } from '../../shared/a2a/failure.ts';
import { FAILURE_REASONS } from '../../shared/domain/failure-reason.ts';
import { ERRORS as OPERATORS } from '../../shared/operator/error-table.ts';
import { REASON_WORDS, REQUEST_WORDS } from './error-words.ts';

const HEAD = `# Error codes

This page lists each code with its cause and what to do.
\`node tools/node24.mjs tools/error-docs.ts\` makes it from the tables that the servers answer by.
What an agent throws, and where its author finds it, is in [errors.md](errors.md).
`;

const REQUEST_HEAD = `## A request is refused

\`code\` is the \`reason\` of an \`ErrorInfo\` in \`error.details\` (HTTP) or \`error.data\` (JSON-RPC): of
the domain \`a2a-protocol.org\` where A2A has one, else of ours. JSON-RPC answers with HTTP 200 but
where a number stands beside its code.
`;

const REASON_HEAD = `## A task failed

\`reason\` is in \`metadata.reason\` of the task. \`npx --no holdfast retry <run> --dry-run\` says what a
second try keeps ([retry.md](retry.md)).
`;

const OPERATOR_HEAD = `## The operators' API refuses

Each operation says in [openapi.json](openapi.json) which of these it answers with.
`;

/** The page docs/error-codes.md. */
export function errorPage(): string {
  const requests = Object.entries(REQUESTS).map(([name, row]) => {
    const { http, rpc, rpcHttp, status, reason, own } = row;
    const [cause, remedy] = REQUEST_WORDS[name as FailureCode];
    const json = rpcHttp === undefined ? `${rpc}` : `${rpc} (${rpcHttp})`;
    return [`\`${own ?? reason}\``, `${http}`, json, `\`${status}\``, cause, remedy];
  });
  const reasons = FAILURE_REASONS.map((reason) => [`\`${reason}\``, ...REASON_WORDS[reason]]);
  const operators = Object.entries(OPERATORS).map(([code, { http, meaning }]) => [
    `\`${code}\``,
    `${http}`,
    meaning,
  ]);
  return [
    HEAD,
    REQUEST_HEAD,
    table(['code', 'HTTP', 'JSON-RPC', 'gRPC', 'cause', 'what to do'], byCode(requests)),
    REASON_HEAD,
    table(['reason', 'cause', 'what to do'], reasons),
    OPERATOR_HEAD,
    table(['code', 'HTTP', 'meaning'], operators),
  ].join('\n');
}

/** Codes that several failures share come one below the other. */
function byCode(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
