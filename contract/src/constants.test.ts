import { expect, test } from 'vitest';
import {
  COPY_TOAST_MS,
  CURRENCY_CODE_LENGTH,
  CURRENCY_DEFAULTS,
  FORM_REDIRECT_MS,
  LANGUAGES,
  PASSWORD_MIN_LENGTH,
  PLAN_DEFAULT_CURRENCY,
  PLAN_LIMIT_FORM_DEFAULTS,
  PLAN_TIERS,
  POST_DELETED_REDIRECT_MS,
  POST_STATUSES,
  POSTS_PAGE_SIZE,
  RECENT_POSTS_SIZE,
  TICKET_DEFAULTS,
  TICKET_STATUSES,
  TOKEN_STORAGE_KEY,
  TRUNCATE,
  USER_STATUSES,
  USERS_PAGE_SIZE,
} from './index.ts';

// Proves 9.1
test('the credential is stored under the name that the specification gives', () => {
  expect(TOKEN_STORAGE_KEY).toBe('admin_token');
});

// Proves 3.3, 3.4, 4.6, 4.15, 9.2
test('the words of the specification, in its order', () => {
  expect(LANGUAGES).toEqual(['en', 'ja', 'es', 'fr', 'ko', 'de', 'pt']);
  expect(PLAN_TIERS).toEqual(['FREE', 'BASIC', 'PREMIUM', 'ENTERPRISE']);
  expect(USER_STATUSES).toEqual(['ACTIVE', 'RESTRICTED', 'SUSPENDED', 'BLOCKED']);
  expect(POST_STATUSES).toEqual(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED']);
  expect(TICKET_STATUSES).toEqual(['UNUSED', 'ACTIVE', 'EXPIRED', 'REVOKED']);
});

// Proves 9.10, 9.11
test('pages and shortened texts have the sizes of the specification', () => {
  expect([USERS_PAGE_SIZE, POSTS_PAGE_SIZE, RECENT_POSTS_SIZE]).toEqual([20, 20, 10]);
  expect(TRUNCATE).toEqual({
    listContent: 80,
    recentContent: 100,
    listError: 60,
    did: 20,
    userId: 8,
  });
});

test('messages stay as long as the specification says', () => {
  expect([FORM_REDIRECT_MS, POST_DELETED_REDIRECT_MS, COPY_TOAST_MS]).toEqual([2000, 1500, 3000]);
});

test('forms start with the values of the specification', () => {
  expect(PLAN_DEFAULT_CURRENCY).toBe('usd');
  expect(PLAN_LIMIT_FORM_DEFAULTS).toEqual({
    monthly_posts_limit: 10,
    pending_posts_limit: 3,
    max_schedule_days: 7,
    schedule_interval_minutes: 10,
    max_images_per_post: 1,
    max_image_size_mb: 1,
    thread_posts_limit: 1,
    max_post_length: 300,
    storage_mb: 100,
    api_rate_limit_per_hour: 60,
    data_retention_days: 30,
  });
  expect(TICKET_DEFAULTS).toEqual({ validDays: 30, maxRedemptions: 1 });
  expect(CURRENCY_DEFAULTS).toEqual({
    useDecimals: true,
    decimalPlaces: 2,
    displayOrder: 999,
    isActive: true,
  });
  expect([CURRENCY_CODE_LENGTH, PASSWORD_MIN_LENGTH]).toEqual([3, 8]);
});
