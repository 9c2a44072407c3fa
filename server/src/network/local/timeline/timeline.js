// Shows new posts without a reload. The server renders them; the page's policy allows no markup from
// a script, so the same page is loaded as a document and its new articles are taken over.

const POLL_MS = 2_000;
const MOST_POSTS = 200;
const list = document.querySelector('.posts');
const status = document.querySelector('[role="status"]');
const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function showTimes(root) {
  for (const time of root.querySelectorAll('time')) {
    time.textContent = zoned.format(new Date(time.dateTime));
  }
}

function loadPage() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.addEventListener('load', () => resolve(request.response));
    request.addEventListener('error', () => reject(new Error('The page could not be loaded')));
    request.open('GET', location.href);
    request.send();
  });
}

function addNew(page) {
  const known = new Set([...list.querySelectorAll('article')].map(({ dataset }) => dataset.post));
  const added = [...(page?.querySelectorAll('.posts > li') ?? [])]
    .filter((item) => !known.has(item.querySelector('article')?.dataset.post))
    .map((item) => document.importNode(item, true));
  if (added.length === 0) return;
  for (const item of added) {
    item.classList.add('new');
    showTimes(item);
  }
  list.prepend(...added);
  for (const item of [...list.children].slice(MOST_POSTS)) item.remove();
  status.textContent = added.length === 1 ? '1 new post' : `${added.length} new posts`;
}

function poll() {
  const next = () => setTimeout(() => void poll(), POLL_MS);
  if (document.visibilityState !== 'visible') return next();
  // A server that is being restarted is asked again.
  return loadPage().then(addNew).then(next, next);
}

showTimes(document);
if (list !== null) setTimeout(() => void poll(), POLL_MS);
