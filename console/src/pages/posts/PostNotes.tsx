import { Alert } from '../../ui/Alert.tsx';
import { SafeText } from '../../ui/SafeText.tsx';

/** The rest stands in the view of facets and embed. */
const SHOWN_MAX = 5;

/** Names what of a post is not drawn here, in plain sight: its readers may see it. */
export function PostNotes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  const rest = notes.length - SHOWN_MAX;
  return (
    <Alert tone="amber" live="none" className="font-normal">
      <ul aria-label="Not shown">
        {notes.slice(0, SHOWN_MAX).map((note, index) => (
          // Two facets may have the same problem; the list never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <SafeText>{note}</SafeText>
          </li>
        ))}
        {rest > 0 && <li>{rest} more below</li>}
      </ul>
    </Alert>
  );
}
