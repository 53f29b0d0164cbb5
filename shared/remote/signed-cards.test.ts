import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { AgentCard, generateAgentCardSignature } from '@a2a-js/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { cardOf } from '../../test/fixtures/remotes/peer-server.ts';
import { outgoing } from '../../test/fixtures/remotes/remote.ts';
import {
  acknowledgement,
  adapter,
  misconfigured,
  scriptedRemote,
} from '../../test/fixtures/remotes/scripted-remote.ts';
import { json } from '../../test/fixtures/remotes/web-server.ts';
import { canonicalAsServed } from '../domain/canonical-card.ts';
import { encodedHeader, type PublicJwk, signingInput } from '../domain/jws.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Key {
  readonly jwk: PublicJwk;
  readonly secret: KeyObject;
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { jwk: { kty, crv, x, y }, secret: privateKey };
}

/** As the SDK signs: of its own type, so that cards are signed that it made. */
async function bySdk(card: object, { secret }: Key): Promise<object> {
  const signer = generateAgentCardSignature(secret, { alg: 'ES256', kid: 'k', typ: 'JOSE' });
  return AgentCard.toJSON(await signer(AgentCard.fromJSON(card))) as object;
}

/** As the protocol says, with all that the card says. */
function byProtocol(card: object, { secret }: Key): object {
  const header = encodedHeader({ alg: 'ES256', kid: 'k', typ: 'JOSE' });
  const input = signingInput(header, canonicalAsServed(JSON.parse(JSON.stringify(card))));
  const signature = sign('sha256', input, { key: secret, dsaEncoding: 'ieee-p1363' });
  const own = { protected: header, signature: signature.toString('base64url') };
  return { ...card, signatures: [own] };
}

/** What comes of a message to a remote with this card, by the keys that are pinned. */
async function sent(
  signedBy: readonly PublicJwk[],
  makeCard: (card: object, url: string) => object | Promise<object>,
) {
  let card: object = {};
  const server = await scriptedRemote(
    (request, response) => json(response, acknowledgement(request)),
    { card: () => card, declared: { signedBy } },
  );
  closing.push(() => server.close());
  card = await makeCard(cardOf(`${server.url}/a2a`, 'JSONRPC'), server.url);
  const outcome = await adapter().agents.send(server.remote, outgoing());
  return {
    outcome,
    asked: server.requests.filter(({ url }) => url !== '/card').map(({ url }) => url),
  };
}

describe('a remote whose key is pinned', () => {
  const own = newKey();
  const next = newKey();

  test.each([
    ['the SDK', bySdk],
    ['the protocol', byProtocol],
  ] as const)(
    'is called when its card is signed as %s does, by any of the pinned keys',
    async (_, by) => {
      for (const keys of [[own.jwk], [next.jwk, own.jwk]]) {
        const { asked, outcome } = await sent(keys, (card) => by(card, own));
        expect(outcome.kind).toBe('acknowledged');
        expect(asked).toEqual(['/a2a']);
      }
    },
  );

  const refused = misconfigured('not_sent', 'card: not signed by a pinned key', '`signedBy`');
  const changed = async (card: object, more: object) => ({ ...(await bySdk(card, own)), ...more });

  test.each([
    ['has no signature', (card: object) => card],
    ['is signed by another key', (card: object) => bySdk(card, newKey())],
    ['was changed after it was signed', (card: object) => changed(card, { description: 'Other.' })],
    [
      'has its interfaces exchanged',
      (card: object, url: string) =>
        changed(card, {
          supportedInterfaces: [
            { url: `${url}/other`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          ],
        }),
    ],
    [
      'has signatures of nonsense',
      (card: object) => ({ ...card, signatures: [{ protected: '', signature: '' }, {}] }),
    ],
    [
      'has its signature behind more of them than are looked at',
      async (card: object) => {
        const signed = AgentCard.fromJSON(await bySdk(card, own));
        const [signature] = signed.signatures;
        const others = Array.from({ length: 10 }, () => ({ protected: 'e30', signature: 'AA' }));
        return { ...card, signatures: [...others, signature] };
      },
    ],
  ])('gets nothing when its card %s, and the refusal says what to do', async (_, makeCard) => {
    const { asked, outcome } = await sent([own.jwk], makeCard);
    expect(outcome).toEqual(refused);
    expect(asked).toEqual([]);
  });

  test('is called where the signature says, whatever v0.3 fields beside it say', async () => {
    const { asked, outcome } = await sent([own.jwk], async (card, url) => ({
      ...(await bySdk(card, own)),
      protocolVersion: '0.3.0',
      url: `${url}/elsewhere`,
      preferredTransport: 'JSONRPC',
      additionalInterfaces: [{ url: `${url}/elsewhere`, transport: 'JSONRPC' }],
    }));
    expect(outcome.kind).toBe('acknowledged');
    expect(asked).toEqual(['/a2a']);
  });
});

test('of a remote without a pin signatures are not looked at', async () => {
  const server = await scriptedRemote(
    (request, response) => json(response, acknowledgement(request)),
    {
      card: (url) => ({
        ...cardOf(`${url}/a2a`, 'JSONRPC'),
        signatures: [{ protected: 'x', signature: 'y' }],
      }),
    },
  );
  closing.push(() => server.close());
  expect((await adapter().agents.send(server.remote, outgoing())).kind).toBe('acknowledged');
});
