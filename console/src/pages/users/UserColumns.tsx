import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface UserColumnsProps {
  /** Above the rest, or to its right where there is room for both. */
  side: ReactNode;
  main: ReactNode;
}

/** In the document in the order in which they are read: the Tab key follows that one. */
export function UserColumns({ side, main }: UserColumnsProps) {
  const [isWide, setWide] = useState(false);
  const box = useRef<HTMLDivElement>(null);

  // The styles below decide by the width of the page, which only the layout knows.
  useLayoutEffect(() => {
    const grid = box.current;
    if (grid === null) return undefined;
    const read = () => setWide(getComputedStyle(grid).gridTemplateColumns.includes(' '));
    read();
    const observer = new ResizeObserver(read);
    observer.observe(grid);
    return () => observer.disconnect();
  }, []);

  const columns = [
    // Of three, the first and the last stand beside the second.
    <div
      key="side"
      className="grid min-w-0 items-start gap-4 @2xl:grid-cols-2 @2xl:*:nth-2:not-last:row-span-2 @4xl:grid-cols-1"
    >
      {side}
    </div>,
    <div key="main" className="flex min-w-0 flex-col gap-4">
      {main}
    </div>,
  ];
  return (
    <div ref={box} className="grid items-start gap-4 @4xl:grid-cols-[minmax(0,1fr)_20.5rem]">
      {isWide ? columns.toReversed() : columns}
    </div>
  );
}
