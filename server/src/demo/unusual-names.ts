/** Names that test a layout, each with what stands in its handle. */
export const UNUSUAL_NAMES: readonly (readonly [name: string, slug: string])[] = [
  ['Friends of the Old Harbour Crane and Its Two Patient Keepers', 'harbour-crane-friends'],
  ['Arbeitsgemeinschaft Straßenbahnhaltestellenforschung Nord eV', 'haltestellenforschung'],
  [
    '公益財団法人 全国手書き地図と古い坂道を未来へ静かに残し続ける会 東日本支部 広報担当 準備事務局 公式アカウント用',
    'saka-michi',
  ],
  ['Anastasia Wilhelmina Featherstonehaugh-Cholmondeley von Tour', 'featherstonehaugh'],
  ['🌵 Paloma 🌵', 'paloma-cactus'],
  ['kai ☕️📚🐈‍⬛', 'kai-reads'],
  ['✨ 𝓃𝑒𝒷𝓊𝓁𝒶 ✨', 'nebula-nights'],
  ['Zoë 🏳️‍🌈🚲', 'zoe-rides'],
  ['Ó', 'single-letter'],
  ['مدونة الخط العربي والمخطوطات القديمة في مكتبات المدينة', 'khatt-blog'],
  ['סיורי עיר – ספרים, רחובות וסיפורים', 'city-walks'],
  ['🇯🇵🇧🇷 Yumi & Rafa 👩🏽‍🚀👨🏻‍🍳', 'yumi-rafa'],
  ['nullable', 'nullable'],
  ['O’Brien "Bee" <bee@home>', 'bee-obrien'],
];
