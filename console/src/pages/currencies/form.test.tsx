import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { fieldControls } from '@meridian/ui/form/use-form.ts';
import { CurrencyFields, NEW_CURRENCY_VALUES } from './form.tsx';

test('every value of the currency form has a field on the screen', () => {
  const { code: _, ...values } = NEW_CURRENCY_VALUES;
  const form = fieldControls(values, () => {}, new Map());
  const html = renderToStaticMarkup(<CurrencyFields form={form} hasDecimals code={null} />);
  const shown = new Set(Array.from(html.matchAll(/ name="(\w+)/g), ([, name]) => name));
  expect(Object.keys(values).filter((name) => !shown.has(name))).toEqual([]);
});
