import { createContext } from 'react';

/** Closes the menu around an item and gives the focus back to its button. */
export const MenuCloseContext = createContext<() => void>(() => {});

export const MENU_ITEM_CLASS =
  'flex min-h-control-sm w-full cursor-default items-center gap-2.5 rounded-sm px-2.5 py-1 text-start text-base select-none ' +
  'focus:bg-sunken focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent';
