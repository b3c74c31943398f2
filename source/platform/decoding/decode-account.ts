import type { Credits, Model, Release, Subscription } from '../../fleet/computers/account.ts';
import { isObject } from '../../foundation/validate.ts';
import {
	addressFrom,
	booleanFrom,
	fieldsFrom,
	numberFrom,
	optionalFieldsFrom,
	type Page,
	pageFrom,
	presentFields,
	textFrom,
	timeFrom,
	unwrapEnvelope,
	unwrapRecord,
} from './decode.ts';
import { unreadableError } from './platform-error.ts';

export function creditsFrom(body: unknown): Credits {
	const record = unwrapRecord(body, 'credits');
	const field = fieldsFrom(isObject(record) ? record : { balance: record });
	const amounts = presentFields<Omit<Credits, 'balance'>>({
		daily: numberFrom(field('daily')),
		monthly: numberFrom(field('monthly')),
		extra: numberFrom(field('extra')),
		expiring: numberFrom(field('expiring')),
		nonExpiring: numberFrom(field('nonexpiring')),
		canRun: booleanFrom(field('canrun')),
	});
	const balance = numberFrom(field('balance', 'total', 'credits', 'remaining')) ?? null;
	if (balance === null && Object.keys(amounts).length === 0) throw unreadableError('', 'a balance');
	return { balance, ...amounts };
}

export function subscriptionFrom(body: unknown): Subscription | null {
	const content = unwrapEnvelope(body);
	if (content === null || fieldsFrom(content)('subscription') === null) return null;
	const field = fieldsFrom(unwrapRecord(body, 'subscription'));
	const key = textFrom(field('tierkey', 'plan', 'tier', 'plankey'));
	const name = textFrom(field('tierdisplayname', 'planname', 'displayname')) ?? key;
	if (!name) throw unreadableError('', 'a plan');
	return presentFields<Subscription>({
		plan: (key ?? name).toLowerCase(),
		planName: name === key ? name.slice(0, 1).toUpperCase() + name.slice(1) : name,
		status: textFrom(field('status')),
		periodEndsAt: timeFrom(field('currentperiodend')),
		endsWithPeriod: booleanFrom(field('cancelatperiodend')),
	});
}

export type PaymentPage = { url: string; session?: string };

export function paymentPageFrom(body: unknown): PaymentPage {
	const field = fieldsFrom(unwrapRecord(body, 'session', 'checkout'));
	const url = addressFrom(field('url', 'checkouturl'));
	if (!url) throw unreadableError('', 'the https address of a payment page');
	return presentFields<PaymentPage>({ url, session: textFrom(field('sessionid', 'id')) });
}

export function releaseFrom(body: unknown): Release {
	const field = fieldsFrom(unwrapRecord(body, 'latest', 'release'));
	const changelog = optionalFieldsFrom(field('changelog'));
	const version = textFrom(field('version'));
	if (!version) throw unreadableError('version', 'a version');
	const changes = changelog('changes') ?? field('changes');
	return presentFields<Release>({
		version,
		channel: textFrom(field('channel')),
		releasedAt: timeFrom(field('date', 'releasedat', 'createdat')),
		title: textFrom(field('title')) ?? textFrom(changelog('title')),
		description: textFrom(field('description')) ?? textFrom(changelog('description')),
		changes: Array.isArray(changes) ? changes.flatMap(releaseChangeFrom) : [],
	});
}

function releaseChangeFrom(value: unknown): { type: string; text: string }[] {
	const field = fieldsFrom(isObject(value) ? value : { text: value });
	const text = textFrom(field('text', 'description', 'title'));
	return text ? [{ type: textFrom(field('type')) ?? 'change', text }] : [];
}

export const modelsPageFrom = (body: unknown): Page =>
	pageFrom(body, ['models', 'items', 'results']);

export function modelFrom(value: unknown): Model {
	const field = fieldsFrom(typeof value === 'string' ? { id: value } : value, 'a model');
	const prices = optionalFieldsFrom(field('pricing', 'prices', 'price'));
	const id = textFrom(field('id', 'name', 'model'));
	if (!id) throw unreadableError('id', 'the name of a model');
	return presentFields<Model>({
		id,
		owner: textFrom(field('ownedby', 'owner', 'provider')),
		contextWindow: numberFrom(field('contextwindow', 'contextlength')),
		inputPrice: numberFrom(prices('input', 'prompt') ?? field('inputprice')),
		outputPrice: numberFrom(prices('output', 'completion') ?? field('outputprice')),
	});
}
