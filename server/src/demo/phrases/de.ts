import { germanTrades } from './de-trades.ts';
import type { LanguagePack } from './types.ts';

export const german: LanguagePack = {
  code: 'de',
  zones: [[60, 1]],
  words: {
    day: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
    time: ['9 Uhr', '11 Uhr', '14 Uhr', '18 Uhr', '19:30 Uhr', '20 Uhr'],
    few: ['zwei', 'drei', 'vier', 'fünf', 'sechs'],
    many: ['12', '20', '35', '50', '80', 'gut hundert'],
    percent: ['3', '5', '7', '9', '12', '18'],
  },
  houses: {
    cafe: [
      ['Café Lindenhof', 'cafe-lindenhof'],
      ['Backstube Morgenrot', 'backstube-morgenrot'],
      ['Rösterei Nordwind', 'roesterei-nordwind'],
    ],
    newsroom: [
      ['Elbkurier', 'elbkurier'],
      ['Stadtgespräch', 'stadtgespraech'],
      ['Zahlen bitte', 'zahlen-bitte'],
    ],
    software: [
      ['Ampelwerk', 'ampelwerk'],
      ['Kiesel', 'kiesel-db'],
    ],
    culture: [
      ['Buchhandlung Querfeldein', 'querfeldein'],
      ['Museum für Alltagskram', 'alltagskram'],
      ['Kino Lichtblick', 'kino-lichtblick'],
    ],
    club: [
      ['Lauftreff Stadtwald', 'lauftreff-stadtwald'],
      ['Ruderverein Blau-Weiß', 'rv-blau-weiss'],
    ],
  },
  tails: [
    'Schönen {day} euch!',
    'Bis {day}.',
    '☕️',
    '🙌',
    'Mehr dazu bald.',
    'Gern weitersagen.',
    '🌿',
    'Das war’s schon.',
  ],
  voices: {
    person: {
      says: [
        'Drei Termine heute, und jeder hätte {instead} sein können. Wie läuft euer {day}?',
        'Kleiner Erfolg der Woche: Ich habe endlich {win}. Hat nur {few} Jahre gedauert.',
        'Merkzettel an mich: {advice}.',
        'In der Straßenbahn gehört: „{overheard}“ Ich denke seitdem an nichts anderes.',
        'Meine {relative} nach dem Rezept für {dish} gefragt. Antwort: „Bis es gut aussieht.“',
        'Danke {@} für den schönen Abend. Der {day} kann jetzt ruhig kommen.',
        'Draußen {temperature}, drinnen Tee. Bis {time} bin ich für niemanden zu sprechen.',
        'Beim Umzug {found} gefunden. Seither sitze ich auf dem Boden und räume nichts mehr weg.',
      ],
      shows: [
        [
          ['cat'],
          'Die Abteilungsleitung hat [den Text|die Steuererklärung|den Bericht|die Folien] geprüft und sich [draufgesetzt|dazugelegt|abgewandt].',
        ],
        [
          ['leaves'],
          'Die Pflanze vom [Sperrmüll|Flohmarkt|Vormieter] lebt. [Neues Blatt!|{few} neue Blätter!|Wer hätte das gedacht.]',
        ],
        [['ridges', 'forest'], '{few} Tage ohne Netz. Sehr zu empfehlen. #Wandern'],
        [
          ['skyline'],
          'Wegen dieses [Lichts|Himmels|Abends] bin ich [eine Station|{few} Stationen] früher ausgestiegen.',
        ],
      ],
      links: [
        {
          says: 'Ein paar Gedanken über {theme}, etwas länger geworden als geplant: {link/notizen}',
          title: 'Über {theme}',
          about: 'Geschrieben im Zug, mit Verspätung fertig geworden.',
          path: 'notizen',
        },
      ],
      words: {
        instead: ['eine kurze Nachricht', 'ein Zettel', 'ein Spaziergang'],
        win: [
          'den Keller aufgeräumt',
          'den Wasserhahn repariert',
          'schwimmen gelernt',
          'alle Briefe beantwortet',
        ],
        advice: [
          'Erst das Wasser, dann der Kaffee',
          'An den Tippfehler erinnert sich niemand',
          'Ein Nickerchen ist auch Arbeit',
          'Fertig am {day} schlägt perfekt im Frühling',
        ],
        overheard: [
          'Das ist keine Phase, das ist eine Tabelle.',
          'Wir hatten uns auf Suppe geeinigt.',
          'Er hat das Selbstvertrauen einer Gans.',
        ],
        relative: ['Oma', 'Tante', 'Mutter'],
        dish: ['Knödel', 'Linsensuppe', 'Pflaumenkuchen', 'Maultaschen'],
        temperature: ['2 Grad', 'Nieselregen', 'der erste Schnee', '28 Grad'],
        found: [
          'Liebesbriefe von 1998',
          'den verlorenen Schachturm',
          'eine Fahrkarte nach Rostock',
        ],
        theme: ['das Reparieren', 'frühes Aufstehen', 'Tagebücher', 'Nachbarn'],
      },
    },
    artist: {
      says: [
        'Ich nehme wieder Aufträge an: {few} Plätze im {month}. Alles Weitere: {link/auftraege}',
        'Die Ausstellung in {city} hängt. Eröffnung am {day} um {time}, kommt vorbei.',
        'Der [Fehler|Fleck|Strich] von [gestern|{day}] ist jetzt das Beste am Bild. Ich nenne es [Technik|Absicht|Stil].',
        '{@} und ich machen zusammen ein {project}. Mehr bald.',
        'Diese Woche {many} Hände gezeichnet. Die Hände gewinnen.',
      ],
      shows: [
        [['tiles'], 'Neuer Siebdruck, {few} Farben. Ab {day} im Laden. #Siebdruck'],
        [
          ['waves', 'discs'],
          '[Reste|Altpapier|Alte Karten], Schere, ein ruhiger [Abend|{day}|Vormittag]. #Collage',
        ],
        [['coast'], '{city}, kurz vor dem Nebel. #Fotografie'],
        [
          ['night'],
          '[Bei {city}.|{few} Stunden gewartet.|] Lange Belichtung, noch längerer Heimweg. #Sternenhimmel',
        ],
        [
          ['ridges'],
          'Um [drei|vier|halb fünf] aufgestanden. Hat sich gelohnt[.|, sagt auch der Hund.|. Kaffee wäre trotzdem schön.] #Fotografie',
        ],
      ],
      links: [
        {
          says: 'Die neue Serie „{series}“ ist online: {link/serie}',
          title: '{series}',
          about: '{many} Arbeiten auf Papier, entstanden zwischen zwei Wintern.',
          path: 'serie',
        },
      ],
      words: {
        month: ['Januar', 'März', 'Mai', 'September'],
        city: ['Görlitz', 'Husum', 'Graz', 'Basel', 'Weimar'],
        project: ['Heft', 'Bilderbuch', 'Plakat', 'Kartenspiel'],
        series: ['Elf Arten von Regen', 'Stille Häfen', 'Zimmer ohne Ecken'],
      },
    },
    ...germanTrades,
  },
  alts: {
    ridges: ['Fünf Bergketten hintereinander im Dunst, darüber eine tiefe Sonne'],
    coast: ['Ruhiges Meer, die Sonne knapp über dem Horizont, ihr Licht glitzert auf dem Wasser'],
    forest: ['Tannen in Reihen im Nebel, die vordersten fast schwarz'],
    dunes: ['Glatte Sanddünen mit scharfen Schatten'],
    night: ['Mondsichel und viele Sterne über schwarzen Hügeln'],
    leaves: ['Topfpflanze mit langen grünen Blättern vor heller Wand'],
    skyline: ['Hochhäuser in drei Reihen, einige Fenster leuchten'],
    map: ['Stadtplan mit Fluss, Parks und einer markierten Stelle'],
    track: ['Kurve einer Laufbahn von oben, drei Läufer auf ihren Bahnen'],
    shelf: ['Drei Regalbretter voller bunter Buchrücken'],
    cup: ['Kaffeetasse von oben, im Milchschaum ein Herz'],
    bread: ['Fünf frische Brotlaibe auf einem Holzbrett'],
    cat: ['Eine Katze auf der Fensterbank schaut in die Kamera'],
    tiles: ['Raster aus Viertelkreisen, Bögen und Streifen in kräftigen Farben'],
    waves: ['Wellen aus geschnittenem Papier, darüber eine runde Sonne'],
    discs: ['Kreise, Ringe und Punkte, die sich überlagern'],
    code: ['Editorfenster mit farbigen Codezeilen'],
    chart: ['Balkendiagramm mit Trendlinie, die letzten zwei Balken hervorgehoben'],
  },
};
