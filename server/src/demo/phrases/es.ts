import { spanishTrades } from './es-trades.ts';
import type { LanguagePack } from './types.ts';

export const spanish: LanguagePack = {
  code: 'es',
  zones: [
    [60, 5],
    [-180, 2],
    [-300, 3],
    [-360, 3],
  ],
  words: {
    day: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
    time: ['las 9', 'las 11', 'las 13:30', 'las 18', 'las 19:30', 'las 20'],
    few: ['dos', 'tres', 'cuatro', 'cinco', 'seis'],
    many: ['12', '20', '35', '50', 'casi cien'],
    percent: ['3', '5', '8', '13', '19'],
  },
  houses: {
    cafe: [
      ['Café La Esquina', 'cafe-la-esquina'],
      ['Panadería Trigal', 'panaderia-trigal'],
      ['Tostadores del Sur', 'tostadores-del-sur'],
    ],
    newsroom: [
      ['El Faro Diario', 'el-faro-diario'],
      ['Ribera Noticias', 'ribera-noticias'],
      ['Datos a la Vista', 'datos-a-la-vista'],
    ],
    software: [
      ['Colibrí', 'colibri-dev'],
      ['Telar', 'telar-framework'],
    ],
    culture: [
      ['Librería El Umbral', 'libreria-umbral'],
      ['Museo de lo Pequeño', 'museo-pequeno'],
      ['Cine Farolito', 'cine-farolito'],
    ],
    club: [
      ['Corredores del Malecón', 'corredores-malecon'],
      ['Club Ciclista La Cuesta', 'ciclista-la-cuesta'],
    ],
  },
  tails: [
    '¡Feliz {day}!',
    'Nos vemos el {day}.',
    '☕️',
    '✨',
    'Pronto más.',
    'Pasen la voz.',
    '🌿',
    'Eso es todo.',
  ],
  voices: {
    person: {
      says: [
        'Tres reuniones hoy y todas podían haber sido {instead}. ¿Qué tal va su {day}?',
        'Hilo: lo que aprendí publicando todos los días durante {few} meses. Spoiler: {advice}.',
        'Logro de la semana: por fin {win}. Solo tardé {few} años.',
        'Oído en el autobús: «{overheard}». No puedo pensar en otra cosa.',
        'Le pedí a mi abuela la receta de {dish} y me dijo: «hasta que se vea bien».',
        'Gracias {@} por lo de ayer. El {day} se hizo corto.',
        'Afuera {temperature}, adentro café. Hasta {time} no existo para nadie.',
        'Haciendo la mudanza encontré {found}. Ahora no guardo nada, solo recuerdo.',
      ],
      shows: [
        [
          ['cat'],
          'La jefa revisó [el informe|la tesis|la declaración|las diapositivas] y se [acostó|sentó|durmió] encima. #Gatos',
        ],
        [
          ['leaves'],
          'Noticias de la planta: [tiene hoja nueva y mejor ánimo que yo.|{few} hojas nuevas.|sobrevivió a la mudanza.]',
        ],
        [['coast', 'ridges'], '{few} días sin teléfono. Lo recomiendo mucho.'],
        [
          ['skyline'],
          '[Volví caminando|Bajé {few} paradas antes|Di toda la vuelta] solo por [esta luz|este cielo|este silencio].',
        ],
      ],
      links: [
        {
          says: 'Escribí unas líneas sobre {theme}, más largas de lo previsto: {link/apuntes}',
          title: 'Apuntes sobre {theme}',
          about: 'Escrito en un tren, terminado en la cocina.',
          path: 'apuntes',
        },
      ],
      words: {
        instead: ['un mensaje', 'una nota', 'un paseo'],
        advice: [
          'nadie recuerda las erratas',
          'la siesta también es trabajo',
          'primero el agua y después el café',
        ],
        win: [
          'arreglé el grifo',
          'aprendí a nadar',
          'ordené el cajón de los cables',
          'contesté todas las cartas',
        ],
        overheard: [
          'No es una etapa, es una hoja de cálculo',
          'Dijimos sopa y él entendió gazpacho',
          'No lo perdí, está descansando',
        ],
        dish: ['las croquetas', 'los tamales', 'el arroz con leche', 'las empanadas'],
        temperature: ['llueve', 'hace 4 grados', 'hace un calor tremendo', 'hay niebla'],
        found: ['cartas de 1997', 'la torre del ajedrez', 'un boleto a Valparaíso'],
        theme: ['los vecinos', 'reparar cosas', 'los diarios de papel', 'madrugar'],
      },
    },
    artist: {
      says: [
        'Abro encargos: {few} lugares para {month}. Precios y plazos: {link/encargos}',
        'La muestra de {city} abre el {day} a {time}. Vengan, hay vino y paredes.',
        '[El error|La mancha|El borrón] [de ayer|del {day}] es hoy lo mejor del cuadro. Lo llamo [técnica|estilo|valentía].',
        'Con {@} estamos haciendo un {project}. Pronto les cuento.',
      ],
      shows: [
        [['tiles'], 'Nueva serigrafía a {few} colores. Desde el {day} en la tienda. #Serigrafía'],
        [
          ['waves', 'discs'],
          '[Papel|Mapas viejos|Tinta sobrante], tijeras y [paciencia|{few} cafés|una tarde entera]. #Collage',
        ],
        [['coast'], '{city}, un minuto antes de la niebla. #Fotografía'],
        [
          ['dunes', 'ridges'],
          '[El viento|El tiempo|La luz] dibujó esto, yo solo apreté el botón. [Cerca de {city}.|] #Fotografía',
        ],
        [
          ['night'],
          '[Exposición larga|{few} horas de espera], regreso más largo. [{city}, el {day}.|] #CieloNocturno',
        ],
      ],
      links: [
        {
          says: 'La serie «{series}» ya está en línea: {link/serie}',
          title: '{series}',
          about: 'Obras sobre papel hechas entre dos inviernos.',
          path: 'serie',
        },
      ],
      words: {
        month: ['enero', 'marzo', 'mayo', 'septiembre'],
        city: ['Cádiz', 'Oaxaca', 'Montevideo', 'Gijón', 'Cartagena'],
        project: ['fanzine', 'libro ilustrado', 'mural', 'cortometraje'],
        series: ['Once clases de lluvia', 'Puertos en calma', 'Cuartos sin esquinas'],
      },
    },
    ...spanishTrades,
  },
  alts: {
    ridges: ['Cinco cordilleras una tras otra entre la bruma, con el sol bajo'],
    coast: ['El sol cerca del horizonte y su reflejo en un mar tranquilo'],
    forest: ['Filas de abetos en la niebla'],
    dunes: ['Dunas suaves con sombras marcadas'],
    night: ['Luna creciente y estrellas sobre colinas negras'],
    leaves: ['Una planta de hojas largas en una maceta'],
    skyline: ['Edificios en tres planos con algunas ventanas encendidas'],
    map: ['Un plano de la ciudad con un río y un lugar marcado'],
    track: ['La curva de una pista vista desde arriba, con tres corredores'],
    shelf: ['Tres estantes llenos de libros de colores'],
    cup: ['Una taza de café vista desde arriba, con un corazón de espuma'],
    bread: ['Cinco panes sobre una tabla de madera'],
    cat: ['Un gato sentado en la ventana mira a la cámara'],
    tiles: ['Cuadrícula de formas geométricas: arcos, discos y franjas'],
    waves: ['Olas de papel recortado bajo un sol redondo'],
    discs: ['Círculos, anillos y puntos superpuestos'],
    code: ['Ventana de un editor con líneas de código en colores'],
    chart: ['Gráfico de barras con una línea; las dos últimas barras resaltan'],
  },
};
