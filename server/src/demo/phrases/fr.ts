import { frenchTrades } from './fr-trades.ts';
import type { LanguagePack } from './types.ts';

export const french: LanguagePack = {
  code: 'fr',
  zones: [
    [60, 8],
    [-300, 2],
  ],
  words: {
    day: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
    time: ['9 h', '11 h', '14 h 30', '18 h', '19 h 30', '20 h'],
    few: ['deux', 'trois', 'quatre', 'cinq', 'six'],
    many: ['12', '20', '35', '50', 'une centaine de'],
    percent: ['3', '5', '8', '12', '17'],
  },
  houses: {
    cafe: [
      ['Le Fournil des Quais', 'fournil-des-quais'],
      ['Café Petit Jour', 'petit-jour'],
      ['La Tasse Bleue', 'tasse-bleue'],
    ],
    newsroom: [
      ['Le Fil de l’Estuaire', 'fil-estuaire'],
      ['La Gazette du Port', 'gazette-du-port'],
      ['Chiffres & Lettres du Jour', 'chiffres-lettres'],
    ],
    culture: [
      ['Librairie du Canal', 'librairie-du-canal'],
      ['Musée des Petites Choses', 'petites-choses'],
      ['Ciné-club Lanterne', 'cine-lanterne'],
    ],
    club: [
      ['Les Foulées du Fleuve', 'foulees-du-fleuve'],
      ['Cyclo-club des Trois Ponts', 'trois-ponts'],
    ],
  },
  tails: [
    'Bon {day} !',
    'À {day} ?',
    '☕️',
    '✨',
    'La suite bientôt.',
    'Faites passer.',
    '🌿',
    'Voilà.',
  ],
  voices: {
    person: {
      says: [
        'Trois réunions aujourd’hui, et chacune aurait pu être {instead}. Bon {day} quand même !',
        'Petite victoire de la semaine : j’ai enfin {win}. Il aura fallu {few} ans.',
        'Note à moi-même : {advice}.',
        'Entendu dans le tram : « {overheard} » Je n’arrive pas à penser à autre chose.',
        'J’ai demandé à ma grand-mère sa recette de {dish}. Réponse : « jusqu’à ce que ce soit joli ».',
        'Merci {@} pour hier soir, le {day} paraît déjà plus court.',
        'Il fait {temperature}, la bouilloire chante et personne n’a besoin de moi avant {time}.',
        'En faisant les cartons, j’ai retrouvé {found}. Je n’emballe plus rien.',
      ],
      shows: [
        [
          ['cat'],
          'La direction a relu [mon texte|ma déclaration|mon rapport|mes diapos], puis s’est [assise|endormie|étirée] dessus.',
        ],
        [
          ['leaves'],
          'Des nouvelles de la plante : [elle va mieux que moi.|une feuille de plus.|{few} feuilles de plus !|elle a survécu à l’été.]',
        ],
        [['coast', 'ridges'], '{few} jours sans téléphone. Je recommande.'],
        [
          ['skyline'],
          '[À pied|Par le quai|Deux arrêts plus tôt], rien que pour [cette lumière|ce ciel|ce silence].',
        ],
      ],
      links: [
        {
          says: 'Quelques lignes sur {theme}, un peu plus longues que prévu : {link/carnet}',
          title: 'Carnet : {theme}',
          about: 'Écrit dans un train, terminé à quai.',
          path: 'carnet',
        },
      ],
      words: {
        instead: ['un simple message', 'une note partagée', 'une promenade'],
        win: [
          'réparé le robinet',
          'rangé la cave',
          'appris à nager',
          'répondu à tout mon courrier',
        ],
        advice: [
          'l’eau d’abord, le café ensuite',
          'personne ne se souvient de la faute de frappe',
          'la sieste compte comme du travail',
        ],
        overheard: [
          'Ce n’est pas une phase, c’est un tableau.',
          'On avait dit soupe, et il a dit gaspacho.',
          'Je ne l’ai pas perdu, il se repose.',
        ],
        dish: ['la blanquette', 'la tarte aux prunes', 'la soupe de lentilles'],
        temperature: ['3 degrés', 'gris', 'un temps de novembre', '27 degrés'],
        found: ['des lettres de 1996', 'la tour du jeu d’échecs', 'un billet pour Quimper'],
        theme: ['les voisins', 'les carnets', 'l’art de réparer', 'les départs'],
      },
    },
    artist: {
      says: [
        'Les commandes sont ouvertes : {few} places en {month}. Tout est ici : {link/commandes}',
        'Vernissage {day} à {time} à {city}. Venez, il y aura des chips.',
        '[L’erreur|La tache|La rature] [d’hier|de {day}] est devenue le meilleur morceau du tableau. J’appelle ça [une technique|un style|du courage].',
        'Avec {@} nous préparons un {project}. On vous raconte bientôt.',
        'J’ai dessiné des [mains|chaises|nuages|vélos] toute la semaine. [Je perds.|{few} sont réussis.|On ne se parle plus.]',
      ],
      shows: [
        [['tiles'], 'Nouvelle sérigraphie, {few} couleurs. En ligne {day}. #Sérigraphie'],
        [
          ['waves', 'discs'],
          '[Papiers découpés|Vieilles cartes|Encres de fin de pot], [chutes|ciseaux|colle] et patience. #Collage',
        ],
        [['coast'], '{city}, juste avant la brume. #Photographie'],
        [
          ['ridges', 'night'],
          '[Debout à quatre heures|{few} heures de marche|Près de {city}]. [Aucun regret.|Beaucoup de thé.|Une seule bonne image.] #Photographie',
        ],
      ],
      links: [
        {
          says: 'La nouvelle série, « {series} », est en ligne : {link/serie}',
          title: '{series}',
          about: 'Travaux sur papier, entre deux hivers.',
          path: 'serie',
        },
      ],
      words: {
        month: ['janvier', 'mars', 'mai', 'septembre'],
        city: ['Saint-Malo', 'Arles', 'Namur', 'Lausanne', 'Rimouski'],
        project: ['fanzine', 'livre d’images', 'jeu de cartes', 'court métrage'],
        series: ['Onze sortes de pluie', 'Ports tranquilles', 'Chambres sans angles'],
      },
    },
    ...frenchTrades,
  },
  alts: {
    ridges: ['Cinq lignes de montagnes dans la brume, sous un soleil bas'],
    coast: ['Le soleil au ras de l’horizon, son reflet sur une mer calme'],
    forest: ['Des rangées de sapins dans le brouillard'],
    dunes: ['Des dunes lisses aux ombres nettes'],
    night: ['Un croissant de lune et des étoiles au-dessus de collines noires'],
    leaves: ['Une plante verte en pot devant un mur clair'],
    skyline: ['Des immeubles sur trois plans, quelques fenêtres allumées'],
    map: ['Un plan de ville avec une rivière et un lieu marqué'],
    track: ['Le virage d’une piste vu d’en haut, trois coureurs'],
    shelf: ['Trois étagères pleines de livres colorés'],
    cup: ['Une tasse de café vue d’en haut, un cœur dans la mousse'],
    bread: ['Cinq pains sur une planche en bois'],
    cat: ['Un chat assis sur le rebord de la fenêtre'],
    tiles: ['Une grille de formes géométriques : arcs, disques et rayures'],
    waves: ['Des vagues de papier découpé sous un soleil rond'],
    discs: ['Des disques, des anneaux et des points superposés'],
    code: ['Une fenêtre d’éditeur avec du code en couleurs'],
    chart: ['Un diagramme en barres avec une courbe, les deux dernières barres en évidence'],
  },
};
