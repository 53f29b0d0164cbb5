// Any plausible run of digits right behind a word for a phone: national notation that its groups
// alone would not tell.
import { matching } from '../matching.ts';

const WORDS = [
  String.raw`(?:tele)?phone`,
  'telefon[eo]?',
  'téléphone',
  'teléfono',
  'puhelin',
  'mobile',
  'whatsapp',
  'rufnummer',
  'cell(?:ulare)?',
  'celular',
  'portable',
  String.raw`(?<!\p{L})(?:tel|tél|tlf|tfn|fax|mobil|móvil|handy|gsm|sms|fon)`,
  'телефон[ау]?',
  String.raw`(?<!\p{L})тел`,
  '电话',
  '電話',
  '手机',
  '携帯',
].join('|');
const ANNOUNCED = new RegExp(
  String.raw`(?:${WORDS})(?:[_ -]?(?:number|nummer|numero|número|no|nr)(?!\p{L}))?["']?[ \u00a0.:=：]{1,4}(?:is |ist |es |est )?["'>]?` +
    String.raw`(?<value>\(?\d(?:[ \u00a0.()/-]{0,2}\d){6,13})(?![A-Za-z0-9_]|[.,:/-]\d)`,
  'dgiu',
);

const DATE = /^(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,4})/;
const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

export const findAnnounced = matching(
  'phone',
  ANNOUNCED,
  ({ value }) => !DATE.test(value) && !IP_ADDRESS.test(value),
);
