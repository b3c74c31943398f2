import type { Credits, Model, Release, Subscription } from '../fleet/computers/account.ts';
import { responseLimits } from './decoding/body.ts';
import {
	addressFrom,
	booleanFrom,
	nestedFields,
	numberFrom,
	type Page,
	pageFrom,
	pathTo,
	textFrom,
	timeFrom,
	unwrapEnvelope,
	unwrapRecord,
	type WireValue,
	withoutUndefinedFields,
} from './decoding/decode.ts';
import { fieldsFrom, isObject } from './decoding/fields.ts';
import { unreadableError } from './decoding/platform-error.ts';
import { type Acknowledgement, acknowledgementFrom, jsonBody, readAllPages } from './json-body.ts';
import type { RequestOptions, Transport } from './transport.ts';

export type AccountEndpoints = {
	models(options: RequestOptions): Promise<readonly Model[]>;
	latestRelease(options: RequestOptions): Promise<Release>;
	initializeBilling(options: RequestOptions): Promise<Acknowledgement>;
	openPayment(request: { plan?: string }, options: RequestOptions): Promise<PaymentPage>;
	subscription(options: RequestOptions): Promise<Subscription | null>;
	credits(options: RequestOptions): Promise<Credits>;
};

export function accountEndpoints(transport: Transport): AccountEndpoints {
	const { catalog: maxBytes } = responseLimits;
	const get = async (path: string, options: RequestOptions) =>
		transport.send({ ...options, scope: 'other', method: 'GET', path, maxBytes });
	const post = async (path: string, body: object, options: RequestOptions) =>
		transport.send({ ...options, scope: 'other', method: 'POST', path, body });

	return {
		async models(options) {
			const { items } = await readAllPages(
				query => get(`/models${query}`, options),
				modelsPageFrom,
			);
			return items.map(modelFrom);
		},
		async latestRelease(options) {
			return releaseFrom(jsonBody(await get('/platform/sandbox/version/latest', options)));
		},
		async initializeBilling(options) {
			return acknowledgementFrom(await post('/billing/setup/initialize', {}, options));
		},
		async openPayment(request, options) {
			return paymentPageFrom(jsonBody(await post('/billing/checkout', request, options)));
		},
		async subscription(options) {
			const path = '/billing/subscription';
			const call = {
				...options,
				scope: 'other',
				method: 'GET',
				path,
				jsonIfNotFound: null,
			} as const;
			return subscriptionFrom(jsonBody(await transport.send(call)));
		},
		async credits(options) {
			return creditsFrom(jsonBody(await get('/billing/credits', options)));
		},
	};
}

export function creditsFrom(body: unknown): Credits {
	const { value, path } = unwrapRecord(body, 'credits');
	const fields = fieldsFrom(isObject(value) ? value : { balance: value }, path);
	const amount = (...names: readonly string[]) => numberFrom(fields.get(...names)) ?? undefined;
	const amounts = {
		daily: amount('daily'),
		monthly: amount('monthly'),
		extra: amount('extra'),
		expiring: amount('expiring'),
		nonExpiring: amount('nonexpiring'),
	};
	const canRun = booleanFrom(fields.get('canrun'));
	const balance = amount('balance', 'total', 'credits', 'remaining');
	const hasAnyValue = [balance, canRun, ...Object.values(amounts)].some(each => each !== undefined);
	if (!hasAnyValue) throw unreadableError(path, 'a balance');
	return {
		balance: balance ?? null,
		...withoutUndefinedFields<Omit<Credits, 'balance'>>({ ...amounts, canRun }),
	};
}

/** Returns null if there is no subscription. */
export function subscriptionFrom(body: unknown): Subscription | null {
	const content = unwrapEnvelope(body);
	if (content.value === null) return null;
	const outerFields = fieldsFrom(content.value, content.path);
	if (outerFields.get('subscription') === null) return null;
	const record = unwrapRecord(body, 'subscription');
	const fields = fieldsFrom(record.value, record.path);
	const planKey = textFrom(fields.get('tierkey', 'plan', 'tier', 'plankey'));
	const planName = textFrom(fields.get('tierdisplayname', 'planname', 'displayname')) ?? planKey;
	if (!planKey && !planName) throw unreadableError(record.path, 'a plan');
	return withoutUndefinedFields<Subscription>({
		plan: (planKey ?? planName ?? '').toLowerCase(),
		planName: planName === planKey ? capitalizedName(planName ?? '') : (planName ?? ''),
		status: textFrom(fields.get('status')) ?? undefined,
		periodEndsAt: timeFrom(fields.get('currentperiodend')) ?? undefined,
		endsWithPeriod: booleanFrom(fields.get('cancelatperiodend')),
	});
}

/** A page for a payment, which a person opens in a browser. */
type PaymentPage = { url: string; session?: string };

export function paymentPageFrom(body: unknown): PaymentPage {
	const record = unwrapRecord(body, 'session', 'checkout');
	const fields = fieldsFrom(record.value, record.path);
	const url = addressFrom(fields.get('url', 'checkouturl'));
	if (!url) throw unreadableError(record.path, 'the https address of a payment page');
	return withoutUndefinedFields<PaymentPage>({
		url,
		session: textFrom(fields.get('sessionid', 'id')) ?? undefined,
	});
}

function capitalizedName(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function releaseFrom(body: unknown): Release {
	const record = unwrapRecord(body, 'latest', 'release');
	const fields = fieldsFrom(record.value, record.path);
	const changelog = nestedFields(fields, 'changelog');
	const version = textFrom(fields.get('version'));
	if (!version) throw unreadableError(pathTo(record.path, 'version'), 'a version');
	const changes = changelog.get('changes') ?? fields.get('changes');
	return withoutUndefinedFields<Release>({
		version,
		channel: textFrom(fields.get('channel')) ?? undefined,
		releasedAt: timeFrom(fields.get('date', 'releasedat', 'createdat')) ?? undefined,
		title: textFrom(fields.get('title')) ?? textFrom(changelog.get('title')) ?? undefined,
		description:
			textFrom(fields.get('description')) ?? textFrom(changelog.get('description')) ?? undefined,
		changes: Array.isArray(changes) ? changes.flatMap(releaseChangeFrom) : [],
	});
}

function releaseChangeFrom(value: unknown): { type: string; text: string }[] {
	if (!isObject(value)) {
		const text = textFrom(value);
		return text ? [{ type: 'change', text }] : [];
	}
	const fields = fieldsFrom(value, '');
	const text = textFrom(fields.get('text', 'description', 'title'));
	return text ? [{ type: textFrom(fields.get('type')) ?? 'change', text }] : [];
}

export function modelsPageFrom(body: unknown): Page {
	return pageFrom(body, ['models', 'items', 'results']);
}

export function modelFrom({ value, path }: WireValue): Model {
	const fields = fieldsFrom(typeof value === 'string' ? { id: value } : value, path);
	const prices = nestedFields(fields, 'pricing', 'prices', 'price');
	const id = textFrom(fields.get('id', 'name', 'model'));
	if (!id) throw unreadableError(pathTo(path, 'id'), 'the name of a model');
	return withoutUndefinedFields<Model>({
		id,
		owner: textFrom(fields.get('ownedby', 'owner', 'provider')) ?? undefined,
		contextWindow: numberFrom(fields.get('contextwindow', 'contextlength')) ?? undefined,
		inputPrice:
			numberFrom(prices.get('input', 'prompt')) ??
			numberFrom(fields.get('inputprice')) ??
			undefined,
		outputPrice:
			numberFrom(prices.get('output', 'completion')) ??
			numberFrom(fields.get('outputprice')) ??
			undefined,
	});
}
