import type { ComponentChildren } from 'preact';
import { useData } from '../data.ts';
import { Loaded, Section } from '../parts/page.tsx';
import { Json, Text } from '../parts/text.tsx';
import type { AgentCard } from '../wire.ts';
import { listIn, recordIn, textIn, textsIn } from './card-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An agent's card as its callers get it: plainly, and as the JSON that it is. */
export function Card({ agent }: { readonly agent: string }) {
  const data = useData<AgentCard>(`/agents/${encodeURIComponent(agent)}/card`, () => false);
  if (data.error?.code === 'AGENT_NOT_FOUND') return null;
  return (
    <Section title="Card">
      <Loaded data={data}>
        {({ card, extended, missing, url }) => (
          <div class="card pending">
            {missing.length > 0 && (
              <p class="note">
                The a2a function adds {missing.join(', ')}, which are not known here.
              </p>
            )}
            <Plain card={card} url={url} />
            <Raw title="As JSON" value={card} />
            {extended !== undefined && (
              <Raw title="For callers who prove who they are, as JSON" value={extended} />
            )}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Raw({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <details>
      <summary>{title}</summary>
      <Json label={title} value={value} />
    </details>
  );
}

function Plain({ card, url }: { readonly card: Fields; readonly url: string | undefined }) {
  const provider = recordIn(card, 'provider');
  const capabilities = Object.entries(recordIn(card, 'capabilities') ?? {});
  const schemes = Object.entries(recordIn(card, 'securitySchemes') ?? {});
  const modes = (name: string): string => textsIn(card, name).join(', ');
  return (
    <>
      <dl class="facts">
        <Fact name="Name">{textIn(card, 'name')}</Fact>
        <Fact name="Description">{textIn(card, 'description')}</Fact>
        <Fact name="Version">{textIn(card, 'version')}</Fact>
        <Fact name="Provider">{provider && textIn(provider, 'organization')}</Fact>
        <Fact name="Card at">{url}</Fact>
        <Fact name="Docs at">{textIn(card, 'documentationUrl')}</Fact>
        <Fact name="Takes">{modes('defaultInputModes')}</Fact>
        <Fact name="Gives">{modes('defaultOutputModes')}</Fact>
        <Fact name="Can">
          {capabilities.flatMap(([name, value]) => (value === true ? [name] : [])).join(', ')}
        </Fact>
        <Fact name="Callers">
          {schemes.length === 0
            ? undefined
            : `prove who they are by ${schemes.map(([name]) => name).join(', ')}`}
        </Fact>
        <Fact name="Signed">
          {listIn(card, 'signatures').length > 0
            ? `${listIn(card, 'signatures').length} times`
            : ''}
        </Fact>
      </dl>
      <h3>Interfaces</h3>
      <ul class="lines">
        {listIn(card, 'supportedInterfaces').map((each, at) => (
          <li key={at}>
            <span>
              <Text>{`${textIn(each, 'protocolBinding') ?? ''} ${textIn(each, 'protocolVersion') ?? ''}`}</Text>
            </span>
            <code>{textIn(each, 'url')}</code>
          </li>
        ))}
      </ul>
      <h3>Skills</h3>
      <ul class="stack">
        {listIn(card, 'skills').map((skill, at) => (
          <li key={at} class="skill">
            <p>
              <strong>
                <Text>{textIn(skill, 'name') ?? ''}</Text>
              </strong>{' '}
              <span class="note">
                <Text>{[textIn(skill, 'id'), ...textsIn(skill, 'tags')].join(', ')}</Text>
              </span>
            </p>
            <p class="said">
              <Text>{textIn(skill, 'description') ?? ''}</Text>
            </p>
            {textsIn(skill, 'examples').map((example) => (
              <p key={example} class="note said">
                for example: <Text>{example}</Text>
              </p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Absent where the card does not say it. */
function Fact({ children, name }: { readonly name: string; readonly children: ComponentChildren }) {
  if (typeof children !== 'string' || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd class="said">
        <Text>{children}</Text>
      </dd>
    </>
  );
}
