import { planLimitsInput } from '@meridian/contract/plan-limits';
import data from '../data/plans.json' with { type: 'json' };
import { newId } from './ids.ts';
import { createRandom } from './random.ts';
import { Json } from './rows.ts';
import { iso } from './times.ts';

type Text = { name: string; about: string; features: string[] };
type Offer = Omit<(typeof data)[number], 'prices' | 'texts'> & {
  /** Amounts by currency, monthly and yearly; none for the free plan. */
  prices: Record<string, string[]>;
  texts: Record<string, Text>;
};
const OFFERS: Offer[] = data;

export function makePlans(createdAt: number) {
  const random = createRandom('plans');
  const offers = OFFERS.map((offer) => Object.assign({ id: newId(random, createdAt) }, offer));
  return {
    plans: offers.map((offer, index) => ({
      id: offer.id,
      tier: offer.tier,
      name: offer.name,
      display_name: perLanguage(offer, ({ name }) => name),
      description: perLanguage(offer, ({ about }) => about),
      currency: 'usd',
      // Refuses a missing or unknown limit.
      limits: new Json(planLimitsInput.parse(offer.limits)),
      features: perLanguage(offer, ({ features }) => features),
      display_order: index * 10,
      is_active: offer.isActive,
      is_visible: offer.isVisible,
      created_at: iso(createdAt),
      updated_at: iso(createdAt),
    })),
    prices: offers.flatMap(({ id, prices }) =>
      Object.entries(prices).flatMap(([code, amounts]) =>
        ['monthly', 'yearly'].map((period, index) => ({
          plan_id: id,
          period,
          currency_code: code,
          amount: amounts[index] ?? '',
        })),
      ),
    ),
  };
}
export type PlanRow = ReturnType<typeof makePlans>['plans'][number];

function perLanguage({ texts }: Offer, choose: (text: Text) => unknown): Json {
  const entries = Object.entries(texts).map(([language, text]) => [language, choose(text)]);
  return new Json(Object.fromEntries(entries));
}
