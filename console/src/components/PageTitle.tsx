import { PageHeader, type PageHeaderProps } from '../ui/PageHeader.tsx';
import { usePageTitle } from './use-page-title.ts';

export interface PageTitleProps extends PageHeaderProps {
  /** For the browser's tab, where the heading is more than plain words. */
  tabTitle?: string | undefined;
}

/** The heading of a page, and its title in the browser's tab. */
export function PageTitle({ tabTitle, ...header }: PageTitleProps) {
  usePageTitle(tabTitle ?? (typeof header.title === 'string' ? header.title : ''));
  return <PageHeader {...header} />;
}
