type Listener = (token: string | null) => void;

let listener: Listener = () => {};

/** The session listens here, as the client below it cannot know it. */
export function onUnauthorized(next: Listener): void {
  listener = next;
}

/** The server refused this token, which may be another than the one in use by now; null: none is stored. */
export function reportUnauthorized(token: string | null): void {
  listener(token);
}
