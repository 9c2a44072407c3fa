import { createContext } from 'react';

/**
 * Whether a time is a stop for the Tab key. In a list of details it is: there are few, and UTC can
 * be asked for by keyboard. In a table it is not: a page of rows has forty, and each row leads to
 * the details of what it shows.
 */
export const TimeStopContext = createContext(false);
