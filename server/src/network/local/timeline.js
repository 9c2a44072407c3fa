// The page's policy allows no markup from a script, so the page is loaded again and its new articles are taken over.

const POLL_MS = 2_000;
const MOST_POSTS = 200;
const list = document.querySelector('.posts');
const updates = document.querySelector('.updates');
let isPaused = false;
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function showTimes(root) {
  for (const time of root.querySelectorAll('time')) {
    time.textContent = zoned.format(new Date(time.dateTime));
  }
}

const keyOf = (item) => item.querySelector('article')?.dataset.post;

function addNew(page) {
  const known = new Set([...list.children].map(keyOf));
  const added = [...(page?.querySelectorAll('.posts > li') ?? [])]
    .filter((item) => !known.has(keyOf(item)))
    .map((item) => document.importNode(item, true));
  if (added.length === 0) return;
  for (const item of added) showTimes(item);
  list.prepend(...added);
  for (const item of [...list.children].slice(MOST_POSTS)) item.remove();
  const words = added.length === 1 ? '1 new post' : `${added.length} new posts`;
  document.querySelector('[role="status"]').textContent = words;
}

function poll() {
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.addEventListener('load', () => {
    if (!isPaused) addNew(request.response);
  });
  request.addEventListener('loadend', planPoll);
  request.open('GET', location.href);
  request.send();
}

function planPoll() {
  setTimeout(() => {
    if (document.visibilityState === 'visible' && !isPaused) poll();
    else planPoll();
  }, POLL_MS);
}

function togglePaused({ currentTarget }) {
  isPaused = !isPaused;
  currentTarget.textContent = isPaused ? 'Resume updates' : 'Pause updates';
  const words = isPaused ? `Paused, as of ${zoned.format(new Date())}` : '';
  updates.querySelector('span').textContent = words;
}

showTimes(document);
if (list !== null) {
  updates.hidden = false;
  updates.querySelector('button').addEventListener('click', togglePaused);
  planPoll();
}
