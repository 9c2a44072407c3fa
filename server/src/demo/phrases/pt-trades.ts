import type { LanguagePack } from './types.ts';

/** What Portuguese-speaking businesses, papers, projects, museums and clubs post. */
export const portugueseTrades: LanguagePack['voices'] = {
  cafe: {
    says: [
      'Abrimos às {time}. {bake} ainda está quentinho e tem mesa na janela.',
      'Sopa do dia: {soup}. Acabou, acabou.',
      'Procuramos gente para a padaria, {few} dias por semana, sem turno dobrado: {link/vagas}',
      'Na {day} estamos fechados. No dia seguinte voltamos com bolo.',
      'Encomendas de {bake2} até {day} ao meio-dia, por favor.',
      'Hoje tem música às {time}, entrada livre. O cartaz é de {@}.',
    ],
    shows: [
      [['bread'], 'Acabou de sair do forno. São {many} e nem um a mais. #Padaria'],
      [['cup'], '[Chuva|Vento|Barulho|Frio] lá fora, calma aqui dentro. [Até as {time}.|]'],
    ],
    links: [
      {
        says: 'O cardápio [novo|de inverno|da semana] chegou, com {bake2}: {link/cardapio}',
        title: 'Cardápio',
        about: 'Café da manhã até as três, bolo sempre.',
        path: 'cardapio',
      },
    ],
    words: {
      bake: [
        'O pão de fermentação natural',
        'O bolo de fubá',
        'O pão de batata',
        'O folhado de maçã',
      ],
      bake2: ['bolo-rei', 'quindim', 'torta de limão', 'pastéis de nata'],
      soup: ['abóbora', 'feijão', 'mandioquinha', 'tomate assado'],
    },
  },
  newsroom: {
    says: [
      'URGENTE: {event}. Acompanhe ao vivo: {link/ao-vivo}',
      'Bom dia. Hoje: {topic}, {topic2} e por que {curious}. #ResumoDoDia',
      'Correção: na matéria sobre {topic}, o número certo é {percent}%. Pedimos desculpas.',
      'Tempo: {weather}. Máxima de {high} graus.',
      'Trânsito: {trouble}. Saia mais cedo.',
      'A câmara vota às {time} sobre {topic}. {@} está no plenário.',
    ],
    shows: [
      [['chart'], 'Em um gráfico: {topic}, +{percent}% em um ano. Como calculamos: {link/dados}'],
      [['map'], 'O mapa das ruas afetadas: {trouble}.'],
    ],
    links: [
      {
        says: '{headline}',
        title: '{headline}',
        about: 'O que se sabe, o que falta e o que vem.',
        path: 'materia',
      },
      {
        says: 'Reportagem: {feature}',
        title: '{feature}',
        about: 'Seis meses de apuração e {many} entrevistas.',
        path: 'reportagem',
      },
    ],
    words: {
      district: ['no Porto Velho', 'no Centro', 'na Zona Norte', 'na Ribeira', 'em Vila Alta'],
      event: [
        'Ponte sobre a foz é fechada após choque de navio',
        'Acordo encerra greve dos ônibus',
        'Energia volta a quase toda a zona norte',
      ],
      topic: [
        'a tarifa de ônibus',
        'a merenda escolar',
        'os aluguéis',
        'o trem noturno',
        'a água do rio',
      ],
      curious: [
        'os cisnes se mudaram para o estacionamento',
        'ninguém quer a velha prefeitura',
        'o porto cheira a baunilha',
      ],
      weather: [
        'chuva de manhã e sol à tarde',
        'seco e quente',
        'vento no litoral',
        'neblina na serra',
      ],
      high: ['12', '18', '24', '29', '34'],
      trouble: ['obras na linha do bonde', 'greve das barcas', 'falha nos semáforos'],
      headline: [
        'Câmara adia pela terceira vez a votação sobre {topic}',
        'Como uma vila salvou a última mercearia',
        'Viagens de bicicleta sobem {percent}%: o que mudou',
        'A volta discreta do trem noturno',
        'Uma em cada dez lojas está vazia {district}',
        'Ônibus noturnos até as duas {district}',
        'Moradores votam praça sem carros {district}',
        'O que muda na {day}: {topic}',
        'A escola que se aquece com a piscina',
      ],
      feature: [
        'A mulher que conta as aves da foz desde 1978',
        'De quem é o rio?',
        'Cartas de um farol',
        'Que fim levou a rádio infantil',
        'O último consertador de máquinas de escrever',
      ],
    },
  },
  software: {
    says: [
      'Saiu a {version}: {feature}, {feature2} e {many} correções. {link/versoes}',
      'Manutenção na {day} às {time}: {part} fora do ar por uns {many} minutos.',
      'Atualização de segurança: usem a {version}. Obrigado a {@} pelo relato cuidadoso.',
      'Procuramos quem goste de {task}. A gente ensina: {link/contribuir} #SoftwareLivre',
    ],
    shows: [[['code'], 'A migração inteira em uma tela. Antes eram {few} arquivos. #TypeScript']],
    links: [
      {
        says: 'No blog: como {deed}. {link/blog}',
        title: 'Como {deed}',
        about: 'O que medimos, o que tentamos, o que não faríamos de novo.',
        path: 'blog',
      },
    ],
    words: {
      version: ['1.5.2', '2.1.0', '3.3.0'],
      feature: ['início mais rápido', 'modo offline', 'tema escuro'],
      feature2: ['erros legíveis', 'imagens menores', 'atalhos de teclado'],
      part: ['o espelho de pacotes', 'a documentação'],
      task: ['fusos horários', 'casos estranhos', 'compiladores antigos'],
      deed: ['apagamos um terço do código', 'deixamos a compilação {few} vezes mais rápida'],
    },
  },
  culture: {
    says: [
      'Entrada livre na {day}. Tragam alguém que diz não gostar de museu.',
      'Objeto da semana: {object}. Ninguém sabe quem fez.',
      'Leitura hoje às {time} com {@}. A escada está sempre livre.',
      'Indicação da equipe: {pick}. Perdi o ponto duas vezes.',
    ],
    shows: [[['shelf'], 'Chegaram {many} usados. Em ordem até o meio-dia. #Livros']],
    links: [
      {
        says: 'A programação [da temporada|do mês|de verão]: {link/programa}',
        title: 'Programação',
        about: 'Exposições, leituras e noites longas.',
        path: 'programa',
      },
    ],
    words: {
      object: [
        'uma bicicleta de madeira de 1869',
        'um mapa com uma ilha inventada',
        'o menor violino do acervo',
      ],
      pick: [
        'um livro de receitas para quem odeia cozinhar',
        'um romance contado por uma balsa',
        'um quadrinho sobre musgo',
      ],
    },
  },
  club: {
    says: [
      'Treino na {day}, {time}, na {place}. Todos os ritmos. O grupo lento tem as melhores piadas.',
      'Resultado: {score} contra {rival}. A barraca de bolo segue invicta.',
      'Faltam {few} voluntários para a {day}. Quem tem megafone, apareça.',
      'Parabéns a {@}, que cruzou a linha [perguntando pela próxima prova|sorrindo|e pediu bolo].',
    ],
    shows: [
      [['track'], '[Tiros|Ladeiras|Escadaria]. Ninguém sorriu, todo mundo veio. #Corrida'],
      [['ridges', 'forest'], '{many} quilômetros, {few} pneus furados e essa vista. #Ciclismo'],
    ],
    links: [
      {
        says: 'Inscrições abertas para a {race}: {link/prova}',
        title: '{race}',
        about: 'Três distâncias, uma ladeira e sopa para todos.',
        path: 'prova',
      },
    ],
    words: {
      place: ['eclusa', 'pista velha', 'garagem de barcos'],
      score: ['1 a 3', '2 a 2', '0 a 2', '4 a 1'],
      rival: ['os bombeiros', 'a Zona Norte', 'o clube vizinho'],
      race: ['Meia das Três Pontes', 'Corrida do Farol'],
    },
  },
};
