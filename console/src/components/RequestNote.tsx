import { requestOfFault } from '../api/api-error.ts';

/** Names the request that failed, when the server is at fault: its log has more to say about it. */
export function RequestNote({ error }: { error: unknown }) {
  const requestId = requestOfFault(error);
  if (requestId === undefined) return null;
  return (
    <span className="mt-0.5 block text-sm font-normal">
      Request <span className="text-mono">{requestId}</span>
    </span>
  );
}
