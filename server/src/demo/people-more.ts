import type { Culture } from './people.ts';

export const MORE_CULTURES: readonly Culture[] = [
  {
    weight: 3,
    given: ['آرش|arash', 'شیرین|shirin', 'کاوه|kaveh', 'پریسا|parisa'],
    family: ['رستمی|rostami', 'کریمی|karimi', 'مهرگان|mehregan'],
    speaks: [
      ['en', 3],
      ['ar', 1],
    ],
  },
  {
    weight: 6,
    given: ['Aarav', 'Diya', 'Kavya', 'Rohan', 'Ishaan', 'Nikhil'],
    family: ['Iyer', 'Chaudhary', 'Banerjee', 'Menon', 'Kulkarni', 'Deshpande', 'Rao'],
    speaks: [['en', 1]],
  },
  {
    weight: 4,
    given: ['雨桐|yutong', '子涵|zihan', '思远|siyuan', '小雅|xiaoya', '浩然|haoran'],
    family: ['林|lin', '周|zhou', '沈|shen', '顾|gu', '陆|lu'],
    familyFirst: '',
    speaks: [
      ['en', 3],
      ['ja', 1],
    ],
  },
  {
    weight: 5,
    given: ['Amara', 'Chidi', 'Ngozi', 'Tunde', 'Adaeze', 'Olúfẹ́mi', 'Yetunde', 'Emeka'],
    family: ['Okafor', 'Adeyemi', 'Nwosu', 'Balogun', 'Eze', 'Adébáyọ̀', 'Okonkwo'],
    speaks: [
      ['en', 9],
      ['fr', 1],
    ],
  },
  {
    weight: 3,
    given: ['Wanjiru', 'Baraka', 'Zawadi', 'Kofi', 'Abena', 'Thandiwe', 'Sipho'],
    family: ['Mwangi', 'Otieno', 'Mensah', 'Dlamini', 'Achieng', 'Boateng'],
    speaks: [['en', 1]],
  },
  {
    weight: 4,
    given: ['Олена|olena', 'Тарас|taras', 'Соломія|solomiia', 'Богдан|bohdan', 'Марта|marta'],
    family: ['Шевчук|shevchuk', 'Мельник|melnyk', 'Коваленко|kovalenko', 'Гнатюк|hnatiuk'],
    speaks: [
      ['en', 3],
      ['de', 1],
    ],
  },
  {
    weight: 4,
    given: ['Zofia', 'Łukasz', 'Kasia', 'Wojciech', 'Małgorzata', 'Stanisław'],
    family: ['Nowak', 'Wójcik', 'Mazur', 'Dąbek', 'Ślusarz', 'Żak'],
    speaks: [
      ['en', 3],
      ['de', 1],
    ],
  },
  {
    weight: 4,
    given: ['Astrid', 'Søren', 'Linnéa', 'Øyvind', 'Saga', 'Åke', 'Eydís', 'Mikko'],
    family: [
      'Lindqvist',
      'Møller',
      'Håkansson',
      'Bjørnstad',
      'Sørensen',
      'Virtanen',
      'Ragnarsdóttir',
    ],
    speaks: [['en', 1]],
  },
  {
    weight: 3,
    given: ['Ελένη|eleni', 'Νίκος|nikos', 'Δάφνη|dafni', 'Άρης|aris'],
    family: ['Παπαδάκη|papadaki', 'Καραγιάννης|karagiannis', 'Σταύρου|stavrou'],
    speaks: [['en', 1]],
  },
  {
    weight: 3,
    given: ['Zeynep', 'Emre', 'Elif', 'Çağlar', 'Şule', 'İlker'],
    family: ['Yıldız', 'Öztürk', 'Güneş', 'Kılıç', 'Aydın'],
    speaks: [
      ['en', 2],
      ['de', 2],
    ],
  },
  {
    weight: 3,
    given: ['Thảo', 'Minh', 'Linh', 'Quân', 'Phương'],
    family: ['Nguyễn', 'Trần', 'Phạm', 'Đặng', 'Vũ'],
    familyFirst: ' ',
    speaks: [
      ['en', 2],
      ['fr', 1],
    ],
  },
  {
    weight: 2,
    given: ['สมหญิง|somying', 'ธนา|thana', 'มะลิ|mali'],
    family: ['วงศ์ดี|wongdee', 'ศรีสุข|srisuk'],
    speaks: [['en', 1]],
  },
  {
    weight: 2,
    given: ['अनन्या|ananya', 'मीरा|meera', 'आरव|aarav', 'कबीर|kabir'],
    family: ['शर्मा|sharma', 'वर्मा|verma', 'जोशी|joshi', 'त्रिपाठी|tripathi'],
    speaks: [['en', 1]],
  },
];
