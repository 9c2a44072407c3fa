export function MenuSeparator() {
  return <hr className="mx-1 my-1 border-border" />;
}
