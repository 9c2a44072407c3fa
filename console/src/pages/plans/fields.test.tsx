import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CURRENCY } from '@meridian/contract/samples';
import { fieldControls } from '@meridian/ui/form/use-form.ts';
import { PlanBasicsCard, PlanLimitsCard, PlanTextsCard } from './fields.tsx';
import { PlanPricingCard } from './prices.tsx';
import { NEW_PLAN_VALUES } from './values.ts';

const nothing = () => {};
test('every value of the plan form has a field on the screen', () => {
  const values = { ...NEW_PLAN_VALUES, isPaid: true };
  const form = {
    ...fieldControls(values, nothing, new Map()),
    values,
    shell: {
      loading: false,
      submitError: undefined,
      refusal: undefined,
      fieldErrors: [],
      changes: 0,
      isRestored: false,
      success: undefined,
      failures: 0,
      onSubmit: nothing,
    },
  };
  const currencies = {
    isSettled: true,
    isKnown: true,
    query: { error: null, isFetching: false, refetch: () => Promise.reject(new Error('unused')) },
    all: [CURRENCY],
    active: [CURRENCY],
  };
  const html = renderToStaticMarkup(
    <>
      <PlanBasicsCard form={form} tier={<input name="tier" />} />
      <PlanTextsCard form={form} />
      <PlanPricingCard form={form} currencies={currencies} plan={undefined} />
      <PlanLimitsCard form={form} />
    </>,
  );
  const shown = new Set(Array.from(html.matchAll(/ name="(\w+)/g), ([, name]) => name));
  expect(Object.keys(values).filter((name) => !shown.has(name))).toEqual([]);
});
