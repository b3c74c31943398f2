import { expect, test } from 'vitest';
import {
	creditsFrom,
	modelFrom,
	modelsPageFrom,
	paymentPageFrom,
	releaseFrom,
	subscriptionFrom,
} from '../../../source/platform/decoding/decode-account.ts';
import { tokenFrom } from '../../../source/platform/sign-in.ts';

const now = Date.UTC(2026, 10, 21, 8);

test.each([
	[
		{ credits: { total: 41.5, daily: 1, monthly: 40, extra: 0.5, can_run: true } },
		{ balance: 41.5, daily: 1, monthly: 40, extra: 0.5, canRun: true },
	],
	[{ balance: '12.50' }, { balance: 12.5 }],
	[{ success: true, data: { balance: '12.50' } }, { balance: 12.5 }],
	[
		{ total: 9, expiring: 4, non_expiring: 5, daily: 1 },
		{ balance: 9, expiring: 4, nonExpiring: 5, daily: 1 },
	],
	[{ credits: 12.5 }, { balance: 12.5 }],
	[{ data: { credits: '12.5' } }, { balance: 12.5 }],
	[{ credits: { can_run: false } }, { balance: null, canRun: false }],
])('the client reads the credits from the response %j', (body, credits) => {
	expect(creditsFrom(body)).toEqual(credits);
});

test.each([{}, { credits: null }, { data: { hello: 1 } }, []])(
	'the client refuses a response without credits: %j',
	body => {
		expect(() => creditsFrom(body)).toThrow('expected');
	},
);

test.each([
	[
		{
			subscription: {
				tier_key: 'pro',
				tier_display_name: 'Pro plan',
				status: 'active',
				current_period_end: '2026-12-01T00:00:00Z',
				cancel_at_period_end: false,
			},
		},
		{
			plan: 'pro',
			planName: 'Pro plan',
			status: 'active',
			periodEndsAt: Date.UTC(2026, 11, 1),
			endsWithPeriod: false,
		},
	],
	[
		{ plan: 'pro', status: 'active' },
		{ plan: 'pro', planName: 'Pro', status: 'active' },
	],
	[{ data: { plan: 'ULTRA' } }, { plan: 'ultra', planName: 'ULTRA' }],
	[null, null],
	[{ data: null }, null],
	[{ subscription: null }, null],
])('the client reads the subscription from the response %j', (body, subscription) => {
	expect(subscriptionFrom(body)).toEqual(subscription);
});

test.each([
	[{ url: 'https://pay.example/1' }, { url: 'https://pay.example/1' }],
	[{ checkout_url: 'https://pay.example/1' }, { url: 'https://pay.example/1' }],
	[
		{ data: { session_id: 'cs_1', url: 'https://pay.example/1' } },
		{ url: 'https://pay.example/1', session: 'cs_1' },
	],
])('the client reads the payment page from the response %j', (body, page) => {
	expect(paymentPageFrom(body)).toEqual(page);
});

test.each([{}, { url: 'http://pay.example/1' }, { url: 'file:///etc/passwd' }, { url: 5 }])(
	'the client refuses the response %j, which contains no safe payment page',
	body => {
		expect(() => paymentPageFrom(body)).toThrow('https address');
	},
);

test('the client reads the latest release from both response shapes', () => {
	const date = '2026-11-20T00:00:00Z';
	expect(
		releaseFrom({ version: '1.4.2', channel: 'stable', date, title: 'Faster', sha: 'abc' }),
	).toEqual({
		version: '1.4.2',
		channel: 'stable',
		releasedAt: Date.parse(date),
		title: 'Faster',
		changes: [],
	});
	const changelog = {
		title: 'Faster',
		description: 'Starts sooner',
		changes: [{ type: 'fix', text: 'No more waiting' }, 'plain', { type: 'odd' }],
	};
	expect(releaseFrom({ data: { version: '1.4.2', package: 'x', changelog } })).toEqual({
		version: '1.4.2',
		title: 'Faster',
		description: 'Starts sooner',
		changes: [
			{ type: 'fix', text: 'No more waiting' },
			{ type: 'change', text: 'plain' },
		],
	});
	expect(() => releaseFrom({ version: null })).toThrow('version: expected a version');
});

test.each([
	[
		{
			object: 'list',
			data: [{ id: 'm', owned_by: 'o', context_window: 8, pricing: { input: 1.5, output: '3' } }],
		},
	],
	[
		{
			models: [{ id: 'm', ownedBy: 'o', contextWindow: '8', pricing: { input: '1.5', output: 3 } }],
		},
	],
	[[{ id: 'm', owned_by: 'o', context_window: 8, pricing: { prompt: '1.5', completion: 3 } }]],
])('the client reads the models from the response %j', body => {
	expect(modelsPageFrom(body).items.map(modelFrom)).toEqual([
		{ id: 'm', owner: 'o', contextWindow: 8, inputPrice: 1.5, outputPrice: 3 },
	]);
});

const jwt = (claims: object) =>
	['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'sig'].join('.');

test.each([
	['expires_in', { access_token: 'a', expires_in: 3600, expires_at: 1 }, now + 3_600_000],
	['expires_in as text', { access_token: 'a', expires_in: '3600' }, now + 3_600_000],
	['expires_at', { access_token: 'a', expires_at: now / 1000 + 60 }, now + 60_000],
	['exp', { access_token: jwt({ exp: now / 1000 + 60 }) }, now + 60_000],
])('the client reads the expiry time of a token from “%s”', (_, body, endsAt) => {
	expect(tokenFrom(body, now).endsAt).toBe(endsAt);
});

test.each([
	['without an expiry time', 'a'],
	['with a broken exp claim', jwt({ exp: 'soon' })],
])('the expiry time of a token is unknown after a response %s', (_, token) => {
	expect(tokenFrom({ access_token: token }, now).endsAt).toBeUndefined();
});

test.each([{}, { access_token: '' }, { access_token: 'two\r\nX-Header: lines' }, null])(
	'the client refuses the sign-in response %j, which contains no token',
	body => {
		expect(() => tokenFrom(body, now)).toThrow('expected');
	},
);
