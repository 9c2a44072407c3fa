import { Component, type ReactNode, Suspense } from 'react';
import { Alert } from '../../../console/src/ui/Alert.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Frame } from './Frame.tsx';

/**
 * Around what is loaded later. That fails without a connection, and when the server has a newer
 * version of the page; a reload mends both. Only a class can catch it.
 */
export class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed)
      return <Suspense fallback={<Frame />}>{this.props.children}</Suspense>;
    return (
      <Frame>
        <Alert
          action={
            <Button size="sm" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
        >
          This page could not be shown. What you wrote is kept.
        </Alert>
      </Frame>
    );
  }
}
