import { chromium } from '@playwright/test';

/** Signs in and agrees on the page of the authorization server; what the browser is sent back with. */
export async function consent(address, password) {
  const executablePath = process.env.CHROMIUM_PATH;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    const back = page.waitForRequest((request) => request.url().includes('/oauth/callback?'));
    await page.goto(address.href);
    const field = page.locator('input[type=password]');
    const agree = page.getByRole('button', { name: /^(authorize|accept|allow)/i });
    await field.fill(password);
    await field.press('Enter');
    await agree.click();
    return new URL((await back).url()).searchParams;
  } finally {
    await browser.close();
  }
}
