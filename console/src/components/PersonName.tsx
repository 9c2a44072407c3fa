import { SafeText } from '../ui/SafeText.tsx';

export interface PersonNameProps {
  displayName: string | null;
  handle: string;
}

/** Who is meant, in a sentence: display name and handle, as neither alone is certain. */
export function PersonName({ displayName, handle }: PersonNameProps) {
  const at = <SafeText>{`@${handle}`}</SafeText>;
  if (!displayName) return <strong className="font-medium text-text">{at}</strong>;
  return (
    <>
      <strong className="font-medium text-text">
        <SafeText>{displayName}</SafeText>
      </strong>
      {handle !== '' && <> ({at})</>}
    </>
  );
}
