/** The text of a post tells the sink which one it is. */
export const postText = (run: string, number: number | string) => `bench ${run} ${number}`;

export function runAndNumber(text: string): { run: string; number: number } {
  const [, run = '', number = ''] = text.split(' ');
  return { run, number: Number(number) };
}
