import { portugueseTrades } from './pt-trades.ts';
import type { LanguagePack } from './types.ts';

export const portuguese: LanguagePack = {
  code: 'pt',
  zones: [
    [-180, 7],
    [0, 3],
  ],
  words: {
    day: ['segunda', 'terça', 'quarta', 'quinta', 'sexta'],
    time: ['9h', '11h', '14h30', '18h', '19h30', '20h'],
    few: ['três', 'quatro', 'cinco', 'seis'],
    many: ['12', '20', '35', '50', 'quase 100'],
    percent: ['3', '5', '8', '12', '18'],
  },
  houses: {
    cafe: [
      ['Café Manhã Clara', 'manha-clara'],
      ['Padaria do Cais', 'padaria-do-cais'],
      ['Torrefação Serra Alta', 'serra-alta'],
    ],
    newsroom: [
      ['Correio da Foz', 'correio-da-foz'],
      ['Jornal do Largo', 'jornal-do-largo'],
    ],
    software: [
      ['Jangada', 'jangada-dev'],
      ['Cordel DB', 'cordel-db'],
    ],
    culture: [
      ['Livraria Travessa do Sol', 'travessa-do-sol'],
      ['Museu das Miudezas', 'museu-miudezas'],
    ],
    club: [
      ['Corredores da Orla', 'corredores-da-orla'],
      ['Pedal de Quinta', 'pedal-de-quinta'],
    ],
  },
  tails: [
    'Boa {day}!',
    'Até {day}.',
    '☕️',
    '✨',
    'Em breve tem mais.',
    'Passem adiante.',
    '🌿',
    'É isso.',
  ],
  voices: {
    person: {
      says: [
        'Três reuniões hoje e todas podiam ter sido {instead}. Como vai a {day} de vocês?',
        'Vitória da semana: finalmente {win}. Só levou {few} anos.',
        'Recado para mim: {advice}.',
        'Ouvido no ônibus: “{overheard}” Não penso em outra coisa.',
        'Perguntei à minha avó como se faz {dish}. Resposta: “até ficar bonito”.',
        'Obrigado {@} pela conversa de ontem, a {day} ficou mais leve.',
        'Lá fora {temperature}, aqui dentro café. Só volto às {time}.',
        'Na mudança achei {found}. Parei de empacotar.',
      ],
      shows: [
        [
          ['cat'],
          'A chefia leu meu [relatório|texto|currículo] e [deitou|sentou|dormiu] em cima. #Gatos',
        ],
        [
          ['leaves'],
          'A planta que todos davam por perdida tem [folha nova|{few} folhas novas|até flor].',
        ],
        [['coast', 'ridges'], '{few} dias sem celular. Recomendo.'],
        [
          ['skyline'],
          '[Voltei a pé|Desci {few} pontos antes|Dei a volta toda] só por causa [dessa luz|desse céu|desse silêncio].',
        ],
      ],
      links: [
        {
          says: 'Escrevi sobre {theme} e acabou ficando comprido: {link/notas}',
          title: 'Notas sobre {theme}',
          about: 'Escrito no trem, terminado na cozinha.',
          path: 'notas',
        },
      ],
      words: {
        instead: ['uma mensagem', 'um bilhete', 'uma caminhada'],
        win: ['consertei a torneira', 'aprendi a nadar', 'arrumei a gaveta dos cabos'],
        advice: [
          'primeiro a água, depois o café',
          'ninguém lembra do erro de digitação',
          'cochilo também é trabalho',
        ],
        overheard: [
          'Não é fase, é planilha.',
          'Eu não perdi, ele está descansando.',
          'Ela tem a autoconfiança de um ganso.',
        ],
        dish: ['pão de queijo', 'arroz-doce', 'caldo verde', 'moqueca'],
        temperature: ['chove', 'faz 14 graus', 'um calorão', 'neblina'],
        found: ['cartas de 1995', 'a torre do xadrez', 'uma passagem para Belém'],
        theme: ['os vizinhos', 'consertar coisas', 'diários de papel', 'acordar cedo'],
      },
    },
    artist: {
      says: [
        'Encomendas abertas: {few} vagas em {month}. Valores e prazos: {link/encomendas}',
        'A exposição em {city} abre na {day} às {time}. Apareçam!',
        '[O erro|O borrão|O rabisco] de [ontem|{day}] virou a melhor parte do quadro. Chamo de [técnica|estilo|coragem].',
        'Eu e {@} estamos fazendo um {project}. Conto mais em breve.',
      ],
      shows: [
        [['tiles'], 'Serigrafia nova, {few} cores. Na loja na {day}. #Serigrafia'],
        [
          ['waves', 'discs'],
          '[Papel|Mapas velhos|Tinta que sobrou], tesoura e [paciência|{few} cafés|uma tarde inteira]. #Colagem',
        ],
        [['coast'], '{city}, um minuto antes da neblina. #Fotografia'],
        [
          ['night', 'ridges'],
          '[Acordei às quatro|{few} horas de trilha|Perto de {city}]. [Valeu cada minuto.|Muito café.|Uma foto boa.] #Fotografia',
        ],
      ],
      links: [
        {
          says: 'A série “{series}” está no ar: {link/serie}',
          title: '{series}',
          about: 'Trabalhos em papel feitos entre dois invernos.',
          path: 'serie',
        },
      ],
      words: {
        month: ['janeiro', 'março', 'maio', 'setembro'],
        city: ['Olinda', 'Aveiro', 'Paraty', 'Setúbal', 'Ouro Preto'],
        project: ['zine', 'livro ilustrado', 'mural', 'curta'],
        series: ['Onze tipos de chuva', 'Portos quietos', 'Quartos sem cantos'],
      },
    },
    ...portugueseTrades,
  },
  alts: {
    ridges: ['Cinco serras em camadas na bruma, sob um sol baixo'],
    coast: ['O sol perto do horizonte e seu reflexo no mar calmo'],
    forest: ['Fileiras de pinheiros na neblina'],
    dunes: ['Dunas lisas com sombras fortes'],
    night: ['Lua crescente e estrelas sobre morros escuros'],
    leaves: ['Planta de folhas longas em um vaso'],
    skyline: ['Prédios em três planos, algumas janelas acesas'],
    map: ['Mapa da cidade com um rio e um lugar marcado'],
    track: ['Curva de uma pista vista de cima, com três corredores'],
    shelf: ['Três prateleiras cheias de livros coloridos'],
    cup: ['Xícara de café vista de cima, com um coração na espuma'],
    bread: ['Cinco pães sobre uma tábua de madeira'],
    cat: ['Um gato sentado na janela olha para a câmera'],
    tiles: ['Grade de formas geométricas: arcos, discos e listras'],
    waves: ['Ondas de papel recortado sob um sol redondo'],
    discs: ['Círculos, anéis e pontos sobrepostos'],
    code: ['Janela de editor com linhas de código coloridas'],
    chart: ['Gráfico de barras com uma linha; as duas últimas barras em destaque'],
  },
};
