/** One of a few values, which the address of the page keeps. `label` is hidden where `quiet`. */
export function Choice<V extends string>({
  choose,
  label,
  quiet = false,
  value,
  values,
}: {
  readonly choose: (value: string) => void;
  readonly label: string;
  readonly quiet?: boolean;
  readonly value: V;
  readonly values: readonly (readonly [V, string])[];
}) {
  return (
    <label class="span-choice">
      <span class={quiet ? 'hidden' : 'note'}>{label} </span>
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {values.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
