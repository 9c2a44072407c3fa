import type { PlanTexts } from './plan-texts.ts';

export const NEWSROOM: PlanTexts = {
  en: {
    name: 'Newsroom',
    about: 'No limits that get in the way of a publishing desk.',
    features: [
      'Everything in Studio',
      'Unlimited storage',
      'Video up to 500 MB',
      'Records kept for ever',
      'A person who answers',
    ],
  },
  ja: {
    name: 'ニュースルーム',
    about: '編集部の仕事をさまたげる上限はありません。',
    features: [
      'スタジオの全機能',
      '容量は無制限',
      '500MBまでの動画',
      '記録を無期限に保存',
      '担当者が対応',
    ],
  },
  es: {
    name: 'Redacción',
    about: 'Sin límites que estorben a una mesa de redacción.',
    features: [
      'Todo lo de Estudio',
      'Almacenamiento ilimitado',
      'Vídeo de hasta 500 MB',
      'Historial sin caducidad',
      'Una persona que responde',
    ],
  },
  fr: {
    name: 'Rédaction',
    about: 'Aucune limite qui gêne le travail d’une rédaction.',
    features: [
      'Tout Studio',
      'Stockage illimité',
      'Vidéo jusqu’à 500 Mo',
      'Historique sans limite de durée',
      'Une personne qui répond',
    ],
  },
  ko: {
    name: '뉴스룸',
    about: '편집국의 일을 가로막는 제한이 없습니다.',
    features: [
      '스튜디오의 모든 기능',
      '저장 공간 무제한',
      '500MB까지 동영상',
      '기록 무기한 보관',
      '담당자 지원',
    ],
  },
  de: {
    name: 'Redaktion',
    about: 'Keine Grenzen, die einer Redaktion im Weg stehen.',
    features: [
      'Alles aus Studio',
      'Unbegrenzter Speicher',
      'Video bis 500 MB',
      'Unbegrenzte Aufbewahrung',
      'Ein Mensch, der antwortet',
    ],
  },
  pt: {
    name: 'Redação',
    about: 'Sem limites que atrapalhem uma redação.',
    features: [
      'Tudo do Estúdio',
      'Armazenamento ilimitado',
      'Vídeo de até 500 MB',
      'Histórico sem prazo',
      'Uma pessoa que responde',
    ],
  },
};

export const EARLY_BIRD: PlanTexts = {
  en: {
    name: 'Early Bird',
    about: 'Studio at the price of the first hundred. Closed.',
    features: ['Everything in Studio', 'The first price, for as long as you stay'],
  },
  ja: {
    name: '早期登録',
    about: '最初の百名さま向けの特別価格。受付は終了しました。',
    features: ['スタジオの全機能', 'ご利用中はずっと初回価格'],
  },
  es: {
    name: 'Madrugadores',
    about: 'Estudio al precio de los primeros cien. Cerrado.',
    features: ['Todo lo de Estudio', 'El primer precio, mientras sigas'],
  },
  fr: {
    name: 'Pionniers',
    about: 'Studio au prix des cent premiers. Offre close.',
    features: ['Tout Studio', 'Le premier prix, tant que vous restez'],
  },
  ko: {
    name: '얼리버드',
    about: '처음 백 분께 드린 스튜디오 가격. 마감되었습니다.',
    features: ['스튜디오의 모든 기능', '이용하시는 동안 첫 가격 유지'],
  },
  de: {
    name: 'Frühstarter',
    about: 'Studio zum Preis der ersten Hundert. Geschlossen.',
    features: ['Alles aus Studio', 'Der erste Preis, solange du bleibst'],
  },
  pt: {
    name: 'Pioneiros',
    about: 'Estúdio pelo preço dos cem primeiros. Encerrado.',
    features: ['Tudo do Estúdio', 'O primeiro preço enquanto você ficar'],
  },
};

/** Offered by letter only, and so in the languages of those letters. */
export const PARTNER: PlanTexts = {
  en: {
    name: 'Partner',
    about: 'For schools, libraries and community radio, by invitation.',
    features: ['Everything in Creator', '5 GB of storage', 'Billed once a year'],
  },
  fr: {
    name: 'Partenaire',
    about: 'Pour les écoles, bibliothèques et radios associatives, sur invitation.',
    features: ['Tout Créateur', '5 Go de stockage', 'Facturé une fois par an'],
  },
  de: {
    name: 'Partner',
    about: 'Für Schulen, Bibliotheken und Bürgerradios, auf Einladung.',
    features: ['Alles aus Kreativ', '5 GB Speicher', 'Abrechnung einmal im Jahr'],
  },
};
