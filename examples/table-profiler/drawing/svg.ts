/** Text as XML character data or attribute value; what XML 1.0 can't hold at all becomes a replacement character. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

// Control characters are the very thing to be found here.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export type Attributes = Readonly<Record<string, string | number>>;

/** An element with escaped attributes; its content is markup already. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .map(
      ([key, value]) =>
        ` ${key}="${typeof value === 'number' ? rounded(value) : escapeXml(value)}"`,
    )
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** A line of text at a point; `text` is escaped here. */
export function label(x: number, y: number, text: string, style: Attributes = {}): string {
  return element('text', { x, y, ...style }, escapeXml(text));
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}
