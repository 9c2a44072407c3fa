import { englishNewsroom } from './en-newsroom.ts';
import type { LanguagePack } from './types.ts';

/** What English-speaking businesses, papers, projects, museums and clubs post. */
export const englishTrades: LanguagePack['voices'] = {
  cafe: {
    says: [
      'Doors open at {hour}. The {bake} is still warm, and there is a table by the window with your name on it.',
      'Today’s soup: {soup}. When it is gone, it is gone. It is usually gone by one.',
      'We are looking for a {job}, {few} days a week, kind people and no split shifts. Write to us: {link/jobs}',
      'Closed this {day} for a wedding. Ours! Back on {day2} with cake for everyone who asks nicely.',
      'New on the shelf: {beans}. Tastes like {note} and a slow morning. #SpecialtyCoffee',
      'To the person who left a {lost} on table {few}: it is safe behind the counter, and it is very loved.',
      'Live music tonight at {evening}, no tickets, just come. Posters by the wonderful {@}.',
      'We counted: {many} oat flat whites before ten. {neighbourhood}, are you all right?',
      'Order your {bake2} for the weekend by {day} noon, please. We bake what you order and {few} more for luck.',
      'Fixed at last: the [wobbly table|squeaky door|dripping tap|clock above the counter]. [{few} years of folded napkins, gone.|Nobody knows how.|It only took {few} uncles.] It feels like the end of an era.',
    ],
    shows: [
      [['bread'], 'Out of the oven at {hour}. First come, first buttered. #Bakery'],
      [['bread'], 'The night shift says hello. {many} loaves and one burnt thumb.'],
      [['cup'], 'Rain outside, {note} inside. We are here until {evening}.'],
      [
        ['cup'],
        'New [cups|plates|bowls|vases], made by {@}. Please admire them [loudly|before they break|on {day}]. #Ceramics',
      ],
    ],
    links: [
      {
        says: 'The winter menu is here, and yes, the {bake2} is back: {link/menu}',
        title: 'Menu',
        about: 'Breakfast until three, soup until it is gone, cake always.',
        path: 'menu',
      },
      {
        says: 'Our workshops for next month: bread, latte art, and one evening just for {bake2}. {few} seats each.',
        title: 'Workshops',
        about: 'Small groups, aprons provided, leftovers go home with you.',
        path: 'workshops',
      },
    ],
    words: {
      bake: ['sourdough', 'cardamom bun', 'apple tart', 'banana bread', 'rye'],
      bake2: ['plum crumble', 'carrot cake', 'stollen', 'almond croissant', 'sausage roll'],
      soup: [
        'roast tomato',
        'leek and potato',
        'lentil and lemon',
        'pumpkin with sage',
        'pea and mint',
      ],
      job: ['baker', 'barista', 'kitchen porter', 'weekend waiter'],
      beans: [
        'a washed Ethiopian',
        'a Colombian from a very small farm',
        'our first decaf we are proud of',
        'a natural from Burundi',
      ],
      note: ['blackcurrant', 'toffee', 'orange peel', 'milk chocolate', 'bergamot'],
      lost: ['green umbrella', 'single glove', 'paperback', 'knitted fox'],
      neighbourhood: ['Old Town', 'Harbour Street', 'Northside', 'Mill Lane'],
    },
  },
  newsroom: englishNewsroom,
  software: {
    says: [
      'v{version} is out: {feature}, {feature2}, and {many} fixes from {few} contributors. Release notes: {link/releases}',
      'Heads-up: the {part} will be unavailable on {day} from {evening} UTC for about {many} minutes of maintenance.',
      'We wrote a test for the bug, then the test had a bug, so we wrote a test for the test. Happy {day}.',
      'Today we closed issue #{issue}, opened when {old}. Thank you for your patience, whoever you are now.',
      'Security release: please update to {version}. A crafted {input} could {harm}. Thanks to {@} for the careful report.',
      'Looking for help: the {part} needs a maintainer who enjoys {task}. Mentoring included. {link/contributing} #OpenSource',
      'Poll results: {percent} percent of you still use {oldThing}. We love you. Please stop.',
      'Office hours on {day} at {evening} UTC: bring a question, leave with a patch. #OpenSource',
    ],
    shows: [
      [
        ['code'],
        'The whole migration, in one screen. The old version needed {few} files and a prayer. #TypeScript',
      ],
      [
        ['chart'],
        'Cold starts before and after {version}. Same hardware, {percent} percent less memory. #Performance',
      ],
      [['code'], 'You can now {ability}. It took {few} attempts to make it this boring.'],
    ],
    links: [
      {
        says: 'New on the blog: how we {deed}. {link/blog}',
        title: 'How we {deed}',
        about: 'What we measured, what we tried first, and what we would not do again.',
        path: 'blog',
      },
      {
        says: 'The documentation has a new home, a search that finds things, and {many} fewer dead links.',
        title: 'Documentation',
        about: 'Guides, reference and recipes for {version}.',
        path: 'docs',
      },
    ],
    words: {
      version: ['1.9.2', '2.4.0', '3.0.0-rc.1', '4.2.0', '5.1.3', '0.18.0'],
      feature: [
        'faster cold starts',
        'a dark theme that is actually dark',
        'resumable uploads',
        'offline mode',
        'keyboard shortcuts everywhere',
      ],
      feature2: [
        'smaller images',
        'readable error messages',
        'a plugin API',
        'support for right-to-left text',
      ],
      part: [
        'package mirror',
        'command-line client',
        'build cluster',
        'Windows installer',
        'parser',
      ],
      issue: ['212', '777', '1043', '3391'],
      old: [
        'the project had one user',
        'we still used tabs',
        'nobody had heard of us',
        'the logo was a potato',
      ],
      input: ['archive', 'header', 'font file', 'date'],
      harm: ['crash the server', 'read one byte too many', 'fill the disk', 'loop for ever'],
      task: ['time zones', 'edge cases', 'saying no kindly', 'very old compilers'],
      oldThing: ['the legacy config file', 'version 1', 'the nightly from March', 'FTP'],
      ability: [
        'undo a deploy',
        'diff two backups',
        'run the tests on a phone',
        'pause a job and resume it tomorrow',
      ],
      deed: [
        'made the build {few} times faster',
        'deleted a third of our code',
        'moved {many} servers on a {day}',
        'stopped paging people at night',
      ],
    },
  },
  culture: {
    says: [
      'Free entry this {day}, from ten to {evening}. Bring somebody who says they do not like museums. #MuseumDay',
      'Object of the week: {object}. Nobody knows who made it. Everybody wants to touch it. Please do not.',
      'Reading tonight at {evening} with {@}. A few seats are left, the stairs are free as always.',
      'Staff pick: {pick}. "I missed my stop twice," says {colleague}.',
      'We are hiring a {job}. Weekends off every other week, dust all the time. {link/jobs}',
      'School groups this week: {many}. Best question so far: "Is the {object2} lonely?"',
      'Our reading room stays open until {evening} during exam weeks. Tea is on the house.',
    ],
    shows: [
      [
        ['shelf'],
        'The second-hand shelves are full again. {many} new arrivals, alphabetical until noon. #Books',
      ],
      [['tiles', 'discs'], 'The poster for our {season} season, printed by hand in {few} colours.'],
      [['shelf'], 'Somebody returned a book after {few} decades. With a note. And a biscuit.'],
    ],
    links: [
      {
        says: 'The programme for the {season} season is here: {link/programme}',
        title: '{season} programme',
        about: 'Exhibitions, readings, late nights and a workshop for very small people.',
        path: 'programme',
      },
      {
        says: 'Tickets for "{show}" are on sale from {day}, 10 am.',
        title: '{show}',
        about: 'An exhibition about what we keep and what keeps us.',
        path: 'tickets',
      },
    ],
    words: {
      object: [
        'a wooden bicycle from 1869',
        'a map with an island that never existed',
        'a jar of buttons from a shipwreck',
        'the smallest violin in the collection',
      ],
      object2: ['whale', 'mummy', 'dinosaur', 'old elevator'],
      pick: [
        'a cookbook for people who hate cooking',
        'a novel told by a ferry',
        'letters between two astronomers',
        'a comic about moss',
      ],
      colleague: ['Ines', 'Tobias', 'Mr Adeyemi', 'our intern', 'Yuki'],
      job: ['bookseller', 'night guard', 'conservator', 'guide for family tours'],
      season: ['spring', 'summer', 'autumn', 'winter'],
      show: ['Things We Carried Home', 'Salt', 'A Room of Clocks', 'Paper Cities'],
    },
  },
  club: {
    says: [
      'Training on {day}, {evening}, at the {place}. All paces, really. The slow group has the better jokes.',
      'Result: {score} against {rival}. Not our best day, very much our best cake stand.',
      'Trail report: the {loop} loop is open again. Mud up to the ankle, spirits up to the knee. #TrailRunning',
      'We need {few} more volunteers for {day}: marshals, cake cutters, and somebody who owns a megaphone.',
      'Welcome to our {many} new members! First beer is on the treasurer (she does not know yet).',
      'Cancelled: tonight’s ride, because of {weather}. Hot chocolate at the clubhouse instead.',
      'Congratulations to {@}, who finished the {race} and then asked where to sign up for the next one.',
    ],
    shows: [
      [['track'], 'Intervals. {few} times 800. Nobody smiled, everybody came. #Running'],
      [['ridges', 'forest'], '{many} kilometres, {few} punctures, one view. Worth it. #Cycling'],
      [['map'], 'The course for {day}. Water at the bridge, applause at the church.'],
    ],
    links: [
      {
        says: 'Entries for the {race} are open. Last year it was full in {few} days: {link/race}',
        title: '{race}',
        about: 'Three distances, one hill you will remember, soup for all.',
        path: 'race',
      },
      {
        says: '[Photos and results|All results|{many} photos] from [the weekend|{day}|the {race}] are online.',
        title: 'Results',
        about: 'All times, all faces, including the ones you made at the finish.',
        path: 'results',
      },
    ],
    words: {
      place: ['old track', 'canal lock', 'boat house', 'lower car park'],
      score: ['1-3', '0-2', '24-31', '2-2', '4-1'],
      rival: ['Northfield', 'the fire brigade', 'St. Olave’s', 'Harbour United'],
      loop: ['north', 'quarry', 'lake', 'ridge'],
      weather: ['ice', 'a gale', 'thunder', 'horizontal rain'],
      race: ['Three Bridges Half', 'Midnight Ten', 'Lighthouse Trail', 'Ferry Race'],
    },
  },
};
