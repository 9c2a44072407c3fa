import { escapeHtml } from '../../../http/escape-html.ts';

/** Markup that is safe to send: made only by the `html` tag, which escapes everything else. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
export type { Html };

/** html`<p>${text}</p>`: values are escaped, except markup, lists of markup and nothing (null). */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)));
}

type HtmlValue = string | Html | readonly Html[] | null;

function textOf(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'string' ? escapeHtml(value) : value.map(textOf).join('');
}
