import { Pager } from '../../ui/Pager.tsx';
import { AppLink } from '../navigation/AppLink.tsx';

export interface ListPagerProps {
  page: number;
  /** The page whose rows are on screen: another one while this one is on its way, or failed. */
  shownPage: number;
  pageSize: number;
  /** Undefined while nothing is known: then there is nothing to turn. */
  total: number | undefined;
  /** In the plural: 'users'. */
  noun: string;
  searchOfPage: (page: number) => string;
}

/** The pager of a list whose page stands in the URL: Previous and Next are links. */
export function ListPager({ total, searchOfPage, ...rest }: ListPagerProps) {
  if (total === undefined) return null;
  return (
    <Pager
      {...rest}
      total={total}
      renderLink={(page, link) => <AppLink {...link} to={{ search: searchOfPage(page) }} />}
    />
  );
}
