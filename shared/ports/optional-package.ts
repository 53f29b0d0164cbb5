import { Fault } from './faults.ts';

/**
 * Packages that an installation has only where it uses them, at the versions that this release is
 * tested with. What is used together is installed together.
 */
export const OPTIONAL_PACKAGES: readonly Readonly<Record<string, string>>[] = [
  { '@google-cloud/firestore': '9.4.1' },
  { '@google-cloud/storage': '8.4.0' },
  { '@google-cloud/tasks': '7.1.0', '@grpc/grpc-js': '1.14.7' },
  { 'google-auth-library': '11.3.4' },
  { '@modelcontextprotocol/client': '2.4.0' },
  {
    '@opentelemetry/api': '1.10.0',
    '@opentelemetry/exporter-metrics-otlp-http': '0.301.0',
    '@opentelemetry/exporter-metrics-otlp-proto': '0.301.0',
    '@opentelemetry/exporter-trace-otlp-http': '0.301.0',
    '@opentelemetry/exporter-trace-otlp-proto': '0.301.0',
    '@opentelemetry/resources': '3.1.0',
    '@opentelemetry/sdk-metrics': '3.1.0',
    '@opentelemetry/sdk-trace': '3.1.0',
  },
];

/** Something that was asked for needs packages that are not installed; the message says which. */
export class PackageMissing extends Fault {
  /** As npm takes them: `name@version`. */
  readonly packages: readonly string[];

  constructor(missing: string, packages: readonly string[], cause: unknown) {
    const command = `npm install ${packages.join(' ')}`;
    super('PackageMissing', 'stop', `${missing} is not installed; run \`${command}\``, cause);
    this.packages = packages;
  }
}

/** What is imported, as soon as it is there. Throws PackageMissing for an optional package. */
export async function optional<T>(importing: Promise<T>): Promise<T> {
  try {
    return await importing;
  } catch (error) {
    throw missingFrom(error) ?? error;
  }
}

function missingFrom(error: unknown): PackageMissing | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'))
    return undefined;
  const [, name = ''] = /^Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(error.message) ?? [];
  const group = OPTIONAL_PACKAGES.find((each) => name in each);
  if (group === undefined) return undefined;
  const packages = Object.entries(group).map((pair) => pair.join('@'));
  return new PackageMissing(name, packages, error);
}
