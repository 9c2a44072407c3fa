import { html } from '../timeline/html.ts';
import type { Html } from '../timeline/html.ts';
import { avatarHtml, handleOf, nameOf, page } from '../timeline/timeline-page.ts';
import type { PageOptions } from '../timeline/timeline-page.ts';
import type { LocalPerson } from './consent.store.ts';

export type Consent = {
  state: string;
  handle: string;
  /** Null: it is a new account. */
  asked: LocalPerson | null;
  others: readonly LocalPerson[];
};

/** Where a real host would ask for a password: here a person is chosen. */
export function consentPage({ state, handle, asked, others }: Consent, options: PageOptions): Html {
  const newcomer = { did: '', handle, displayName: 'New account', avatar: null };
  const choices = [asked ?? newcomer, ...others.filter((person) => person.handle !== handle)];
  const title = `Sign in as @${handle}`;
  return page(
    title,
    html`<h1><bdi>${title}</bdi></h1>
      <p class="lead">
        The service asks to publish posts and pictures in the name of an account. On the local
        network no password is needed: choose who you want to be.
      </p>
      <form method="post">
        <input type="hidden" name="state" value="${state}" />
        <fieldset class="people">
          <legend>Account</legend>
          ${choices.map((person, index) => choiceHtml(person, index === 0, options))}
        </fieldset>
        <p class="buttons">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </p>
      </form>`,
    { isLive: false },
  );
}

function choiceHtml(person: LocalPerson, isChosen: boolean, options: PageOptions): Html {
  const checked = isChosen ? html`checked` : null;
  return html`<label class="person">
    <input type="radio" name="handle" value="${person.handle}" ${checked} />
    ${avatarHtml(person, options)}
    <span class="author">
      <bdi class="name">${nameOf(person)}</bdi>
      <bdi class="handle">${handleOf(person)}</bdi>
    </span>
  </label>`;
}
