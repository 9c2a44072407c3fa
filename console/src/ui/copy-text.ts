/** Over plain http the clipboard interface does not exist: an old command copies a selection. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog only its own elements can be selected.
  const host = document.activeElement?.closest('dialog, [role=dialog], [role=alertdialog]');
  const focused = document.activeElement;
  (host ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** True when the text is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No such interface, or no permission.
    return copyBySelection(text);
  }
}
