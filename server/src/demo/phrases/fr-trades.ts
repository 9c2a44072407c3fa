import type { LanguagePack } from './types.ts';

/** What French-speaking businesses, papers, projects, museums and clubs post. */
export const frenchTrades: LanguagePack['voices'] = {
  cafe: {
    says: [
      'Ouverture à {time}. {bake} est encore tiède et il reste une table près de la fenêtre.',
      'Soupe du jour : {soup}. Quand il n’y en a plus, il n’y en a plus.',
      'On recrute en boulangerie, {few} jours par semaine, horaires humains : {link/emploi}',
      'Fermé ce {day}. Retour le lendemain avec du gâteau.',
      'Commandes de {bake2} avant {day} midi, s’il vous plaît. On en fait {few} de plus, par prudence.',
      'Ce soir, concert à {time}, entrée libre. L’affiche est signée {@}.',
      'À la personne qui a oublié {lost} : c’est en sécurité derrière le comptoir.',
    ],
    shows: [
      [
        ['bread'],
        'Sortie du four à l’instant. [{few} fournées aujourd’hui.|Premiers arrivés, premiers beurrés.|On garde la croûte pour vous.] #Boulangerie',
      ],
      [
        ['cup'],
        '[Il pleut|Il vente|Il fait gris] dehors, prenez votre temps dedans. [Ouvert jusqu’à {time}.|]',
      ],
    ],
    links: [
      {
        says: 'La carte d’hiver est arrivée, avec {bake2} : {link/carte}',
        title: 'La carte',
        about: 'Petit déjeuner jusqu’à quinze heures, gâteaux tout le temps.',
        path: 'carte',
      },
    ],
    words: {
      bake: ['Le pain au levain', 'La brioche', 'La tarte aux pommes', 'Le kouign-amann'],
      bake2: ['galettes des rois', 'bûches aux marrons', 'tartes aux prunes'],
      soup: ['potiron et sauge', 'poireaux et pommes de terre', 'lentilles corail'],
      lost: ['un parapluie vert', 'un gant', 'un roman de poche'],
    },
  },
  newsroom: {
    says: [
      'ALERTE. {event}. Suivez notre direct : {link/direct}',
      'Bonjour ! À la une ce matin : {topic}, {topic2}, et pourquoi {curious}. #Matinale',
      'Rectificatif : dans notre article sur {topic}, il fallait lire {percent} %. Toutes nos excuses.',
      'Météo : {weather}. Jusqu’à {high} degrés.',
      'Transports : {trouble}. Prévoyez un peu d’avance.',
      'Le conseil vote à {time} sur {topic}. {@} est dans la salle.',
    ],
    shows: [
      [['chart'], 'En un graphique : {topic}, +{percent} % en un an. La méthode : {link/donnees}'],
      [['map'], 'La carte des rues concernées par {trouble}.'],
    ],
    links: [
      {
        says: '{headline}',
        title: '{headline}',
        about: 'Ce que l’on sait, ce que l’on ignore, et la suite.',
        path: 'article',
      },
      {
        says: 'Grand format : {feature}',
        title: '{feature}',
        about: 'Six mois d’enquête et beaucoup de café.',
        path: 'grand-format',
      },
    ],
    words: {
      district: ['du Port', 'de la Vieille Ville', 'des Tanneurs', 'du Nord', 'de la Gare'],
      event: [
        'Le pont de l’estuaire est fermé après un choc avec un navire',
        'Accord trouvé dans les transports',
        'Le courant est presque partout rétabli au nord',
      ],
      topic: [
        'le prix des bus',
        'les cantines scolaires',
        'les loyers',
        'les trains de nuit',
        'la qualité de la rivière',
      ],
      curious: [
        'les cygnes ont déménagé au parking',
        'personne ne veut de l’ancienne mairie',
        'le port sent la vanille',
      ],
      weather: [
        'pluie par l’ouest, éclaircies ensuite',
        'sec et froid',
        'brume en vallée',
        'vent fort sur la côte',
      ],
      high: ['4', '9', '14', '21', '28'],
      trouble: ['les travaux du tram', 'la grève des ferries', 'la panne de signalisation'],
      headline: [
        'Troisième report du vote sur {topic}',
        'Comment un village a sauvé sa dernière épicerie',
        'Vélo : +{percent} % de trajets, ce qui a changé',
        'Le retour discret du train de nuit',
        'Quartier {district} : un commerce sur dix est vide',
        'Les bus de nuit du quartier {district} rouleront jusqu’à deux heures',
        'Quartier {district} : une place sans voitures soumise au vote',
        'Ce qui change {day} pour {topic}',
        'L’école qui se chauffe avec la piscine',
      ],
      feature: [
        'Elle compte les oiseaux de la baie depuis 1978',
        'À qui appartient le fleuve ?',
        'Les lettres du phare',
        'La radio des enfants du quartier {district}',
        'Le dernier réparateur de machines à écrire',
      ],
    },
  },
  culture: {
    says: [
      'Entrée libre {day}. Amenez quelqu’un qui n’aime pas les musées.',
      'L’objet de la semaine : {object}. Auteur inconnu, charme certain.',
      'Lecture ce soir à {time} avec {@}. L’escalier est libre, comme toujours.',
      'Coup de cœur : {pick}. J’ai raté mon arrêt deux fois.',
    ],
    shows: [
      [
        ['shelf'],
        '[Les étagères d’occasion sont pleines.|Arrivage de {day}.|Le rayon poésie déborde.] Rangées jusqu’à midi. #Livres',
      ],
      [
        ['discs', 'tiles'],
        'L’affiche [de la saison|de {day}|du festival], imprimée à la main en {few} couleurs.',
      ],
    ],
    links: [
      {
        says: 'Le programme [de la saison|du mois|d’hiver] est là : {link/programme}',
        title: 'Programme de la saison',
        about: 'Expositions, lectures, nocturnes et un atelier pour les petits.',
        path: 'programme',
      },
    ],
    words: {
      object: [
        'un vélo en bois de 1869',
        'une carte avec une île imaginaire',
        'le plus petit violon de la collection',
      ],
      pick: [
        'un livre de cuisine pour ceux qui détestent cuisiner',
        'un roman raconté par un bac',
        'une bande dessinée sur la mousse',
      ],
    },
  },
  club: {
    says: [
      'Entraînement {day} à {time}, rendez-vous {place}. Toutes les allures sont les bienvenues.',
      'Résultat : {score} contre {rival}. Le stand de gâteaux, lui, a gagné.',
      'Il manque encore {few} bénévoles pour {day}. Mégaphone apprécié.',
      'Bravo {@} ! [Déjà en route pour la suivante.|On fête ça {day}.|Les chaussures sèchent encore.]',
    ],
    shows: [
      [
        ['track'],
        '[Fractionné|Escaliers|Côtes]. Personne n’a ri, tout le monde est venu. #CourseÀPied',
      ],
      [['ridges', 'forest'], 'Une sortie, {few} crevaisons, une vue. #Vélo'],
    ],
    links: [
      {
        says: 'Les inscriptions pour {race} sont ouvertes : {link/course}',
        title: '{race}',
        about: 'Trois distances, une côte, de la soupe pour tous.',
        path: 'course',
      },
    ],
    words: {
      place: ['à l’écluse', 'au hangar à bateaux', 'devant la vieille piste'],
      score: ['1-3', '2-2', '0-2', '4-1'],
      rival: ['les pompiers', 'Nord-Ville', 'le club voisin'],
      race: ['le Trail du Phare', 'la Course des Trois Ponts'],
    },
  },
};
