// Shows new posts without a reload. The page's policy allows no markup from a script, so the same page
// is loaded as a document and its new articles are taken over.

const POLL_MS = 2_000;
const MOST_POSTS = 200;
const list = document.querySelector('.posts');
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
  request.addEventListener('load', () => addNew(request.response));
  request.addEventListener('loadend', planPoll);
  request.open('GET', location.href);
  request.send();
}

function planPoll() {
  setTimeout(document.visibilityState === 'visible' ? poll : planPoll, POLL_MS);
}

showTimes(document);
if (list !== null) planPoll();
