import type { LanguagePack } from './types.ts';

/** What Spanish-speaking businesses, papers, projects, museums and clubs post. */
export const spanishTrades: LanguagePack['voices'] = {
  cafe: {
    says: [
      'Abrimos a {time}. {bake} todavía está tibio y hay mesa junto a la ventana.',
      'Sopa del día: {soup}. Cuando se acaba, se acaba.',
      'Buscamos gente para la panadería, {few} días por semana y horarios decentes: {link/empleo}',
      'Este {day} cerramos. Volvemos al día siguiente con pastel.',
      'Encargos de {bake2} hasta el {day} al mediodía, por favor. Siempre horneamos {few} más.',
      'Hoy música en vivo a {time}, entrada libre. El cartel es de {@}.',
      'Quien olvidó {lost}: está a salvo detrás de la barra.',
    ],
    shows: [
      [['bread'], 'Recién salido del horno. {many} piezas y se acabó. #Panadería'],
      [['cup'], '[Lluvia|Viento|Frío|Ruido] afuera, calma adentro. [Hasta {time} estamos.|]'],
    ],
    links: [
      {
        says: 'Ya está el menú de [invierno|temporada|la semana], con {bake2}: {link/menu}',
        title: 'Menú',
        about: 'Desayunos hasta las tres, pasteles siempre.',
        path: 'menu',
      },
    ],
    words: {
      bake: ['El pan de masa madre', 'El bizcocho de limón', 'El pan de elote', 'El hojaldre'],
      bake2: ['rosca de reyes', 'tarta de manzana', 'alfajores', 'buñuelos'],
      soup: ['calabaza', 'lentejas', 'tortilla', 'tomate asado'],
      lost: ['un paraguas verde', 'un guante', 'una novela'],
    },
  },
  newsroom: {
    says: [
      'ÚLTIMA HORA: {event}. Seguimos informando: {link/directo}',
      'Buenos días. Hoy: {topic}, {topic2} y por qué {curious}. #ResumenMatinal',
      'Corrección: en la nota sobre {topic} el dato correcto es {percent} %. Pedimos disculpas.',
      'El tiempo: {weather}. Máximas de {high} grados.',
      'Tráfico: {trouble}. Salgan con tiempo.',
      'El pleno vota a {time} sobre {topic}. {@} cuenta todo desde la sala.',
    ],
    shows: [
      [
        ['chart'],
        'En un gráfico: {topic}, +{percent} % en un año. Así lo calculamos: {link/datos} #PeriodismoDeDatos',
      ],
      [['map'], 'El mapa de las calles afectadas por {trouble}.'],
    ],
    links: [
      {
        says: '{headline}',
        title: '{headline}',
        about: 'Lo que se sabe, lo que falta y lo que viene.',
        path: 'nota',
      },
      {
        says: 'Reportaje: {feature}',
        title: '{feature}',
        about: 'Seis meses de trabajo y {many} entrevistas.',
        path: 'reportaje',
      },
    ],
    words: {
      district: ['el Puerto', 'la Ribera', 'el Centro', 'Barrio Norte', 'las Lomas'],
      event: [
        'Cierran el puente del estuario tras el choque de un barco',
        'Acuerdo en el transporte público',
        'Vuelve la luz a casi todo el norte',
      ],
      topic: [
        'el precio del autobús',
        'los comedores escolares',
        'los alquileres',
        'el tren nocturno',
        'la calidad del río',
      ],
      curious: [
        'los cisnes se mudaron al estacionamiento',
        'nadie quiere el viejo ayuntamiento',
        'el puerto huele a vainilla',
      ],
      weather: [
        'lluvia por la mañana, sol por la tarde',
        'seco y frío',
        'viento en la costa',
        'calor en el interior',
      ],
      high: ['6', '11', '17', '24', '33'],
      trouble: ['las obras del tranvía', 'la huelga de transbordadores', 'la avería de semáforos'],
      headline: [
        'El ayuntamiento aplaza por tercera vez la votación sobre {topic}',
        'El pueblo que salvó su última tienda',
        'Un {percent} % más de viajes en bici: qué cambió',
        'El regreso discreto del tren nocturno',
        'Uno de cada diez locales está vacío en {district}',
        'Autobuses nocturnos hasta las dos en {district}',
        'Vecinos de {district} votan una plaza sin coches',
        'Qué cambia desde el {day}: {topic}',
        'La escuela que se calienta con la piscina',
      ],
      feature: [
        'La mujer que cuenta las aves del estuario desde 1978',
        '¿De quién es el río?',
        'Cartas desde un faro',
        'Qué fue de la radio infantil de {district}',
        'El último reparador de máquinas de escribir',
      ],
    },
  },
  software: {
    says: [
      'Ya salió la {version}: {feature}, {feature2} y {many} correcciones. {link/versiones}',
      'Mantenimiento el {day} a {time}: {part} no estará disponible unos {many} minutos.',
      'Actualización de seguridad: pasen a la {version}. Gracias a {@} por el aviso.',
      'Buscamos a alguien que disfrute {task}. Acompañamos a quien empieza: {link/colaborar} #SoftwareLibre',
    ],
    shows: [
      [['code'], 'Toda la migración en una pantalla. Antes eran {few} archivos. #TypeScript'],
      [['chart'], 'Tiempo de arranque antes y después de la {version}.'],
    ],
    links: [
      {
        says: 'En el blog: cómo {deed}. {link/blog}',
        title: 'Cómo {deed}',
        about: 'Qué medimos, qué probamos y qué no repetiríamos.',
        path: 'blog',
      },
    ],
    words: {
      version: ['1.6.0', '2.2.3', '3.0.1'],
      feature: ['arranque más rápido', 'modo sin conexión', 'tema oscuro'],
      feature2: ['errores que se entienden', 'imágenes más pequeñas', 'atajos de teclado'],
      part: ['el servidor de paquetes', 'la documentación', 'el compilador en línea'],
      task: ['las zonas horarias', 'los casos raros', 'decir que no con cariño'],
      deed: ['borramos un tercio del código', 'hicimos la compilación {few} veces más rápida'],
    },
  },
  culture: {
    says: [
      'Entrada libre este {day}. Traigan a quien dice que no le gustan los museos.',
      'Objeto de la semana: {object}. Nadie sabe quién lo hizo.',
      'Lectura hoy a {time} con {@}. La escalera siempre está libre.',
      'Recomendación de la casa: {pick}. Me pasé de parada dos veces.',
    ],
    shows: [
      [['shelf'], 'Llegaron {many} libros usados. En orden hasta el mediodía. #Libros'],
      [
        ['discs', 'tiles'],
        'El cartel [de la temporada|del {day}|del festival], impreso a mano en {few} colores.',
      ],
    ],
    links: [
      {
        says: 'Ya pueden ver la programación [del mes|de la temporada|de verano]: {link/programa}',
        title: 'Programación',
        about: 'Exposiciones, lecturas y noches largas.',
        path: 'programa',
      },
    ],
    words: {
      object: [
        'una bicicleta de madera de 1869',
        'un mapa con una isla inventada',
        'el violín más pequeño de la colección',
      ],
      pick: [
        'un recetario para quienes odian cocinar',
        'una novela contada por un barco',
        'un cómic sobre el musgo',
      ],
    },
  },
  club: {
    says: [
      'Entrenamiento el {day} a {time} en {place}. Todos los ritmos. El grupo lento cuenta mejores chistes.',
      'Resultado: {score} contra {rival}. El puesto de pasteles, invicto.',
      'Faltan {few} voluntarios para el {day}. Si tienes megáfono, mejor.',
      'Felicidades a {@}, que llegó a la meta [preguntando por la próxima|con una sonrisa|y pidió tarta].',
    ],
    shows: [
      [['track'], '[Series|Cuestas|{few} por 800]. Nadie sonrió, todos vinieron. #Running'],
      [['ridges', 'forest'], '{many} kilómetros, {few} pinchazos y una vista. #Ciclismo'],
    ],
    links: [
      {
        says: 'Inscripciones abiertas para la {race}: {link/carrera}',
        title: '{race}',
        about: 'Tres distancias, una cuesta y sopa para todos.',
        path: 'carrera',
      },
    ],
    words: {
      place: ['la esclusa', 'la pista vieja', 'el embarcadero'],
      score: ['1-3', '2-2', '0-2', '4-1'],
      rival: ['los bomberos', 'Barrio Norte', 'el club vecino'],
      race: ['Media de los Tres Puentes', 'Carrera del Faro'],
    },
  },
};
