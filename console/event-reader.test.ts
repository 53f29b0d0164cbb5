import { expect, test } from 'vitest';
import { EventReader } from './event-reader.ts';

test('events are whole wherever their text was cut', () => {
  const text =
    'id: 7\nevent: runs\ndata: [1]\n\n: keep-alive\n\nevent: reset\ndata: {}\n\ndata: a\ndata: b\n\n';
  for (let at = 0; at <= text.length; at += 1) {
    const reader = new EventReader();
    const events = [...reader.take(text.slice(0, at)), ...reader.take(text.slice(at))];
    expect(events, `cut at ${at}`).toEqual([
      { name: 'runs', data: '[1]', id: '7' },
      { name: 'reset', data: '{}', id: undefined },
      { name: 'message', data: 'a\nb', id: undefined },
    ]);
  }
});
