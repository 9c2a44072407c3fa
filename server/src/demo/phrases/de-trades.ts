import type { LanguagePack } from './types.ts';

/** What German-speaking businesses, papers, projects, museums and clubs post. */
export const germanTrades: LanguagePack['voices'] = {
  cafe: {
    says: [
      'Ab {time} ist offen. {bake} ist noch warm, und am Fenster ist ein Platz frei.',
      'Tagessuppe: {soup}. Wenn weg, dann weg. Meistens um eins.',
      'Wir suchen Verstärkung für die Backstube, {few} Tage die Woche, faire Schichten: {link/jobs}',
      'Am {day} bleibt geschlossen, danach sind wir mit Kuchen zurück.',
      'Bestellungen für {bake2} bitte bis {day} Mittag. Wir backen {few} mehr, zur Sicherheit.',
      'Wer hat an Tisch {few} {lost} vergessen? Liegt sicher hinter der Theke.',
      'Heute Abend Musik, ab {time}, Eintritt frei. Das Plakat ist von {@}.',
    ],
    shows: [
      [['bread'], 'Frisch aus dem Ofen. {many} Stück, dann ist Schluss. #Bäckerei'],
      [['cup'], 'Regen draußen, Ruhe drinnen. Bis {time} sind wir da.'],
    ],
    links: [
      {
        says: 'Die Winterkarte ist da, und {bake2} auch wieder: {link/karte}',
        title: 'Karte',
        about: 'Frühstück bis drei, Suppe bis sie aus ist, Kuchen immer.',
        path: 'karte',
      },
    ],
    words: {
      bake: ['Das Sauerteigbrot', 'Der Hefezopf', 'Der Apfelkuchen', 'Das Nussbrot'],
      bake2: ['Stollen', 'Zwetschgendatschi', 'Bienenstich', 'Franzbrötchen'],
      soup: ['Kartoffel mit Majoran', 'Kürbis', 'Linse und Zitrone', 'Erbse'],
      lost: ['einen grünen Schirm', 'einen Handschuh', 'ein Taschenbuch'],
    },
  },
  newsroom: {
    says: [
      'Eilmeldung: {event}. Wir bleiben dran. {link/live}',
      'Guten Morgen. Heute: {topic}, {topic2} und die Frage, warum {curious}. #Morgenlage',
      'Korrektur: In unserem Beitrag über {topic} stand eine falsche Zahl. Richtig sind {percent} Prozent. Wir bitten um Entschuldigung.',
      'Das Wetter: {weather}. Höchstwerte um {high} Grad.',
      'Verkehr: {trouble}. Bitte {many} Minuten mehr einplanen.',
      'Der Stadtrat stimmt um {time} über {topic} ab. {@} berichtet aus dem Saal.',
    ],
    shows: [
      [
        ['chart'],
        'Eine Grafik sagt mehr: {topic}, plus {percent} Prozent in einem Jahr. So haben wir gerechnet: {link/daten}',
      ],
      [['map'], '{trouble}: Diese Straßen sind ab {day} betroffen.'],
    ],
    links: [
      {
        says: '{headline}',
        title: '{headline}',
        about: 'Was wir wissen, was wir nicht wissen, wie es weitergeht.',
        path: 'artikel',
      },
      {
        says: 'Reportage: {feature}',
        title: '{feature}',
        about: 'Ein halbes Jahr Recherche, {many} Gespräche.',
        path: 'reportage',
      },
    ],
    words: {
      district: ['Nordstadt', 'Altstadt', 'Hafenviertel', 'Südhang', 'Lindenau'],
      event: [
        'Die Hafenbrücke ist nach einer Kollision gesperrt',
        'Tarifeinigung im Nahverkehr',
        'Der Strom im Norden ist fast überall zurück',
      ],
      topic: ['Buspreise', 'Schulessen', 'Mieten', 'Nachtzüge', 'Öffnungszeiten der Bibliothek'],
      curious: [
        'die Schwäne aufs Parkdeck gezogen sind',
        'niemand das alte Rathaus will',
        'der Hafen nach Vanille riecht',
      ],
      weather: [
        'Regen von Westen, später Sonne',
        'trocken und kalt',
        'Nebel im Tal, oben klar',
        'windig, aber mild',
      ],
      high: ['2', '7', '13', '19', '26'],
      trouble: [
        'Gleisbau auf der Linie 4',
        'Warnstreik bei den Fähren',
        'Rohrbruch in der Nordstadt',
      ],
      headline: [
        'Stadtrat vertagt Entscheidung über {topic} zum dritten Mal',
        'Wie ein Dorf seinen letzten Laden rettete',
        '{percent} Prozent mehr Radverkehr: Was sich geändert hat',
        'Die stille Rückkehr des Nachtzugs',
        '{district}: Jeder zehnte Laden steht leer',
        'Nachtbusse fahren jetzt bis zwei Uhr, auch ab {district}',
        '{topic}: Was sich ab {day} ändert',
        '{district} stimmt über autofreien Platz ab',
        'Eine Schule in {district} heizt mit dem Hallenbad',
      ],
      feature: [
        'Die Frau, die seit 1978 die Vögel im Watt zählt',
        'Wem gehört der Fluss?',
        '{many} Briefe aus dem Leuchtturm',
        'Was aus dem Kinderradio {district} wurde',
        'Der letzte Schreibmaschinenmechaniker',
      ],
    },
  },
  software: {
    says: [
      'Version {version} ist da: {feature}, {feature2} und {many} Korrekturen. Alles dazu: {link/releases}',
      'Wartung am {day} ab {time}: {part} ist etwa {many} Minuten nicht erreichbar.',
      'Sicherheitsupdate: Bitte auf {version} aktualisieren. Danke an {@} für die sorgfältige Meldung.',
      'Wir suchen jemanden, der gern {task}. Einarbeitung inklusive: {link/mitmachen} #OpenSource',
      '{percent} Prozent von euch nutzen noch Version 1. Wir haben euch lieb. Bitte aktualisiert.',
    ],
    shows: [
      [
        ['code'],
        'Die ganze Umstellung auf einem Bildschirm. Vorher waren es {few} Dateien. #TypeScript',
      ],
      [['chart'], 'Startzeit vor und nach {version}. Gleiche Hardware.'],
    ],
    links: [
      {
        says: 'Neu im Blog: Wie wir {deed}. {link/blog}',
        title: 'Wie wir {deed}',
        about: 'Was wir gemessen haben und was wir nicht wieder tun würden.',
        path: 'blog',
      },
    ],
    words: {
      version: ['1.7.4', '2.0.0', '3.2.1'],
      feature: ['schnellerer Start', 'ein dunkles Thema', 'Offline-Betrieb'],
      feature2: ['verständliche Fehlermeldungen', 'kleinere Abbilder', 'Tastenkürzel überall'],
      part: ['der Paketspiegel', 'die Dokumentation', 'der Build-Server'],
      task: ['Zeitzonen mag', 'freundlich nein sagt', 'alte Compiler pflegt'],
      deed: ['ein Drittel des Codes löschten', 'den Build {few}-mal schneller machten'],
    },
  },
  culture: {
    says: [
      'Freier Eintritt am {day}! Bringt jemanden mit, der Museen nicht mag.',
      'Objekt der Woche: {object}. Wer es gemacht hat, weiß niemand.',
      'Heute um {time}: Lesung mit {@}. Die Treppe ist wie immer frei.',
      'Empfehlung aus dem Team: {pick}. Zweimal die Haltestelle verpasst.',
    ],
    shows: [
      [['shelf'], '{many} Neuzugänge im Antiquariat, alphabetisch bis Mittag. #Bücher'],
      [['discs', 'tiles'], 'Unser Plakat für den {season}, von Hand gedruckt.'],
    ],
    links: [
      {
        says: 'Das Programm für den {season}: {link/programm}',
        title: 'Programm {season}',
        about: 'Ausstellungen, Lesungen, lange Nächte.',
        path: 'programm',
      },
    ],
    words: {
      object: [
        'ein Holzfahrrad von 1869',
        'eine Karte mit einer erfundenen Insel',
        'die kleinste Geige der Sammlung',
      ],
      pick: [
        'ein Kochbuch für Kochmuffel',
        'ein Roman, den eine Fähre erzählt',
        'ein Comic über Moos',
      ],
      season: ['Frühling', 'Sommer', 'Herbst', 'Winter'],
    },
  },
  club: {
    says: [
      'Training am {day}, {time}, Treffpunkt {place}. Alle Tempi. Die langsame Gruppe hat die besseren Witze.',
      'Ergebnis: {score} gegen {rival}. Sportlich ausbaufähig, Kuchenstand überragend.',
      'Für {day} fehlen noch {few} Helfer. Megafon vorhanden? Dann erst recht.',
      'Glückwunsch an {@}! [Im Ziel schon nach dem nächsten Start gefragt.|Am {day} wird gefeiert.|Die Schuhe trocknen noch.]',
    ],
    shows: [
      [
        ['track'],
        '[Intervalle|Treppenläufe|{few} mal 800]. Keiner hat gelacht, alle waren da. #Laufen',
      ],
      [['forest', 'ridges'], '{many} Kilometer, {few} Pannen, eine Aussicht. #Radfahren'],
    ],
    links: [
      {
        says: 'Die Anmeldung für den {race} ist offen: {link/lauf}',
        title: '{race}',
        about: 'Drei Strecken, ein Hügel, Suppe für alle.',
        path: 'lauf',
      },
    ],
    words: {
      place: ['Bootshaus', 'Schleuse', 'alter Sportplatz'],
      score: ['1:3', '2:2', '0:2', '4:1'],
      rival: ['die Feuerwehr', 'Nordstadt', 'den Ruderclub'],
      race: ['Drei-Brücken-Lauf', 'Leuchtturm-Trail'],
    },
  },
};
