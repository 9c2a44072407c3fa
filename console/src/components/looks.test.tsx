import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PLAN_TIERS } from '@meridian/contract/plans';
import { Alert } from '@meridian/ui/Alert.tsx';
import { TONE_CLASS } from '@meridian/ui/Badge.tsx';
import { buttonClass } from '@meridian/ui/classes.ts';
import { ConfirmDialog, InfoDialog } from '@meridian/ui/dialogs.tsx';
import { AssignmentBadge, StatusBadge, TierBadge } from './badges.tsx';

const nothing = () => {};

/** The classes of the outermost element. */
const lookOf = (node: ReactNode) => /class="([^"]*)"/.exec(renderToStaticMarkup(node))?.[1] ?? '';

/** Each button's word, and whether it is the dangerous one. */
function buttonsOf(node: ReactNode): [word: string, isDanger: boolean][] {
  const danger = buttonClass({ variant: 'danger' });
  return [...renderToStaticMarkup(node).matchAll(/<button(.*?)<\/button>/g)].map(([, inside]) => [
    inside
      ?.replace(/^.*?>/, '')
      // The room of the progress word, kept beforehand.
      .replaceAll(/<span class="invisible[^>]*>[^<]*<\/span>/g, '')
      .replaceAll(/<[^>]*>/g, '') ?? '',
    inside?.includes(`class="${danger}"`) ?? false,
  ]);
}

// Proves 2.91, 9.3
test('every tier has a badge colour of its own', () => {
  const looks = PLAN_TIERS.map((tier) => lookOf(<TierBadge tier={tier} />));
  expect(new Set(looks).size).toBe(PLAN_TIERS.length);
});

// Proves 4.19
test.each(['EXPIRED', 'PAUSED', 'ON_HOLD'])('the badge of %s is gray', (status) => {
  expect(lookOf(<StatusBadge status={status} />)).toContain(TONE_CLASS.gray);
});

// Proves 4.20
test.each([
  ['ACTIVE', TONE_CLASS.green],
  ['EXPIRED', TONE_CLASS.gray],
  ['REVOKED', TONE_CLASS.amber],
  ['PAUSED', TONE_CLASS.amber],
])('an assignment that is %s has its own colour', (status, look) => {
  expect(lookOf(<AssignmentBadge status={status} />)).toContain(look);
});

// Proves 8.5
test('an error stands in a red box that is announced', () => {
  const box = <Alert>Out to lunch</Alert>;
  expect(lookOf(box)).toContain(TONE_CLASS.red);
  expect(renderToStaticMarkup(box)).toContain('role="alert"');
});

test('an info dialog has OK', () => {
  const dialog = (
    <InfoDialog open title="Not changed" onClose={nothing}>
      Out to lunch
    </InfoDialog>
  );
  expect(buttonsOf(dialog)).toEqual([['OK', false]]);
});

// Proves 2.157
test.each([true, false])('a confirm dialog that is dangerous (%s) shows it', (danger) => {
  const dialog = (
    <ConfirmDialog open danger={danger} title="Delete" onConfirm={nothing} onCancel={nothing}>
      Are you sure?
    </ConfirmDialog>
  );
  expect(buttonsOf(dialog)).toEqual([
    ['Cancel', false],
    ['Confirm', danger],
  ]);
});
