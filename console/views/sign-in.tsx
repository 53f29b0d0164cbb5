import { useEffect, useRef, useState } from 'preact/hooks';
import { refused, signIn } from '../session.ts';
import { useStore } from '../store.ts';

/** Where no proxy says who the operator is, a token does. */
export function SignIn() {
  const [token, setToken] = useState('');
  const [malformed, setMalformed] = useState(false);
  const unknown = useStore(refused);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Sign in · Holdfast';
    field.current?.focus();
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = token.trim();
    if (given === '' || /\s/.test(given)) {
      setMalformed(true);
      field.current?.focus();
      return;
    }
    signIn(given);
  };
  return (
    <main class="alone">
      <h1>Holdfast</h1>
      <p>
        On one machine, <code>npx --no holdfast console</code> prints a link that signs you in.
      </p>
      <form onSubmit={submit}>
        <label for="token">Operator’s token</label>
        <input
          ref={field}
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          aria-describedby="token-help"
          aria-invalid={malformed || unknown}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <p id="token-help" class="note">
          {malformed && 'A token is one word without spaces. '}
          {unknown && !malformed && 'The server does not know that token. '}
          {
            'It is in operators.json of the data folder; of a deployment, it is your identity token. This browser keeps it until the tab is closed.'
          }
        </p>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </main>
  );
}
