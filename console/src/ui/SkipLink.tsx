/** The first stop of the Tab key: past the navigation, into the page. */
export function SkipLink({ target = 'main' }: { target?: string | undefined }) {
  return (
    <a
      href={`#${target}`}
      className="fixed start-3 top-3 z-60 -translate-y-20 rounded bg-accent-fill px-4 py-2 font-medium text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
