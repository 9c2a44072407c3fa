import type { Language } from '@meridian/contract/languages';

export type PlanText = { name: string; about: string; features: readonly string[] };
export type PlanTexts = Partial<Record<Language, PlanText>>;

export const STARTER: PlanTexts = {
  en: {
    name: 'Starter',
    about: 'Try it: a handful of posts a month, one picture each.',
    features: ['10 posts a month', '1 picture per post', 'Schedule up to 7 days ahead'],
  },
  ja: {
    name: 'スターター',
    about: 'まずはお試し。月に数件、画像は1枚まで。',
    features: ['月10件まで投稿', '1件につき画像1枚', '7日先まで予約'],
  },
  es: {
    name: 'Inicio',
    about: 'Para probar: unas pocas publicaciones al mes, con una imagen cada una.',
    features: [
      '10 publicaciones al mes',
      '1 imagen por publicación',
      'Programa hasta con 7 días de antelación',
    ],
  },
  fr: {
    name: 'Découverte',
    about: 'Pour essayer : quelques publications par mois, une image chacune.',
    features: [
      '10 publications par mois',
      '1 image par publication',
      'Programmation jusqu’à 7 jours à l’avance',
    ],
  },
  ko: {
    name: '스타터',
    about: '가볍게 시작하세요. 한 달에 몇 건, 사진은 한 장씩.',
    features: ['월 10건 예약', '게시물당 사진 1장', '7일 전까지 예약'],
  },
  de: {
    name: 'Einstieg',
    about: 'Zum Ausprobieren: eine Handvoll Beiträge im Monat, je ein Bild.',
    features: ['10 Beiträge im Monat', '1 Bild pro Beitrag', 'Bis zu 7 Tage im Voraus planen'],
  },
  pt: {
    name: 'Início',
    about: 'Para experimentar: algumas publicações por mês, uma imagem em cada.',
    features: [
      '10 publicações por mês',
      '1 imagem por publicação',
      'Agende com até 7 dias de antecedência',
    ],
  },
};

export const CREATOR: PlanTexts = {
  en: {
    name: 'Creator',
    about: 'For people who post every day and plan the week ahead.',
    features: [
      '150 posts a month',
      '4 pictures per post',
      'Threads of up to 5 posts',
      'Markdown while you write',
    ],
  },
  ja: {
    name: 'クリエイター',
    about: '毎日投稿して、一週間をまとめて計画したい方に。',
    features: ['月150件まで投稿', '1件につき画像4枚', '5件までのスレッド', 'Markdownで下書き'],
  },
  es: {
    name: 'Creador',
    about: 'Para quien publica a diario y planifica la semana.',
    features: [
      '150 publicaciones al mes',
      '4 imágenes por publicación',
      'Hilos de hasta 5 publicaciones',
      'Escribe con Markdown',
    ],
  },
  fr: {
    name: 'Créateur',
    about: 'Pour celles et ceux qui publient chaque jour et préparent leur semaine.',
    features: [
      '150 publications par mois',
      '4 images par publication',
      'Fils jusqu’à 5 publications',
      'Rédaction en Markdown',
    ],
  },
  ko: {
    name: '크리에이터',
    about: '매일 올리고 한 주를 미리 계획하는 분께.',
    features: ['월 150건 예약', '게시물당 사진 4장', '최대 5건 스레드', '마크다운 작성'],
  },
  de: {
    name: 'Kreativ',
    about: 'Für alle, die täglich posten und die Woche vorausplanen.',
    features: [
      '150 Beiträge im Monat',
      '4 Bilder pro Beitrag',
      'Threads mit bis zu 5 Beiträgen',
      'Schreiben mit Markdown',
    ],
  },
  pt: {
    name: 'Criador',
    about: 'Para quem publica todo dia e planeja a semana.',
    features: [
      '150 publicações por mês',
      '4 imagens por publicação',
      'Fios de até 5 publicações',
      'Escreva com Markdown',
    ],
  },
};

export const STUDIO: PlanTexts = {
  en: {
    name: 'Studio',
    about: 'Threads, video and fine-grained times for small teams.',
    features: [
      'Unlimited posts',
      'Threads of up to 24 posts',
      'Video up to 100 MB',
      'Publish on the minute',
      'API access',
    ],
  },
  ja: {
    name: 'スタジオ',
    about: 'スレッドも動画も分単位の予約も。小さなチームのために。',
    features: [
      '投稿数は無制限',
      '24件までのスレッド',
      '100MBまでの動画',
      '1分単位の予約',
      'APIの利用',
    ],
  },
  es: {
    name: 'Estudio',
    about: 'Hilos, vídeo y horarios al minuto para equipos pequeños.',
    features: [
      'Publicaciones ilimitadas',
      'Hilos de hasta 24 publicaciones',
      'Vídeo de hasta 100 MB',
      'Publicación al minuto',
      'Acceso a la API',
    ],
  },
  fr: {
    name: 'Studio',
    about: 'Fils, vidéo et horaires à la minute pour les petites équipes.',
    features: [
      'Publications illimitées',
      'Fils jusqu’à 24 publications',
      'Vidéo jusqu’à 100 Mo',
      'Publication à la minute',
      'Accès à l’API',
    ],
  },
  ko: {
    name: '스튜디오',
    about: '스레드, 동영상, 분 단위 예약까지. 작은 팀을 위해.',
    features: [
      '게시물 무제한',
      '최대 24건 스레드',
      '100MB까지 동영상',
      '1분 단위 예약',
      'API 사용',
    ],
  },
  de: {
    name: 'Studio',
    about: 'Threads, Video und minutengenaue Zeiten für kleine Teams.',
    features: [
      'Unbegrenzt viele Beiträge',
      'Threads mit bis zu 24 Beiträgen',
      'Video bis 100 MB',
      'Auf die Minute genau',
      'API-Zugang',
    ],
  },
  pt: {
    name: 'Estúdio',
    about: 'Fios, vídeo e horários minuto a minuto para equipes pequenas.',
    features: [
      'Publicações ilimitadas',
      'Fios de até 24 publicações',
      'Vídeo de até 100 MB',
      'Publicação no minuto exato',
      'Acesso à API',
    ],
  },
};
