// The search of the site: rows of search.json are loaded when the field is first used.
// A row is [page, title, anchor, heading, text]; content reaches the page as text alone.
const field = document.querySelector('#search');
const list = document.querySelector('#found');
const base = new URL('.', import.meta.url);
const MOST = 12;
let rows;

const load = () => {
  rows ??= fetch(new URL('search.json', base)).then((response) => response.json());
  return rows;
};

const scoreOf = ([, title, , heading, text], words) => {
  let score = 0;
  for (const word of words) {
    if (heading.toLowerCase().includes(word)) score += 8;
    else if (title.toLowerCase().includes(word)) score += 4;
    else if (text.toLowerCase().includes(word)) score += 1;
    else return 0;
  }
  return score;
};

const around = (text, word) => {
  const at = text.toLowerCase().indexOf(word);
  return at < 0 ? text.slice(0, 120) : text.slice(Math.max(0, at - 50), at + 90);
};

const item = ([page, title, anchor, heading, text], [word]) => {
  const link = document.createElement('a');
  link.href = new URL(`${page}#${anchor}`, base).href;
  link.textContent = heading === title ? title : `${title}: ${heading}`;
  const words = document.createElement('small');
  words.textContent = around(text, word);
  const found = document.createElement('li');
  found.append(link, words);
  return found;
};

const show = async () => {
  const asked = field.value;
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const all = words.length === 0 ? [] : await load();
  if (asked !== field.value) return;
  const best = all
    .map((row) => ({ row, score: scoreOf(row, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST);
  list.replaceChildren(...best.map(({ row }) => item(row, words)));
  if (words.length > 0 && best.length === 0) list.append('Nothing found.');
  list.hidden = words.length === 0;
};

field.addEventListener('focus', () => void load());
field.addEventListener('input', () => void show());
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
field.form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    field.value = '';
    void show();
    field.focus();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const stops = [field, ...list.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  stops.at(next % stops.length)?.focus();
});
// On a narrow screen the list of pages would come before every text.
if (matchMedia('(max-width: 60rem)').matches) document.querySelector('nav details').open = false;
