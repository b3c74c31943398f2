import type { Credits, Model, Release, Subscription } from '../../fleet/computers/account.ts';
import { isObject } from '../../foundation/validate.ts';
import {
	addressFrom,
	booleanFrom,
	fieldsFrom,
	nestedFields,
	numberFrom,
	type Page,
	pageFrom,
	pathTo,
	presentFields,
	textFrom,
	timeFrom,
	unwrapEnvelope,
	unwrapRecord,
	type WireValue,
} from './decode.ts';
import { unreadableError } from './platform-error.ts';

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
		...presentFields<Omit<Credits, 'balance'>>({ ...amounts, canRun }),
	};
}

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
	return presentFields<Subscription>({
		plan: (planKey ?? planName ?? '').toLowerCase(),
		planName: planName === planKey ? capitalizedName(planName ?? '') : (planName ?? ''),
		status: textFrom(fields.get('status')),
		periodEndsAt: timeFrom(fields.get('currentperiodend')),
		endsWithPeriod: booleanFrom(fields.get('cancelatperiodend')),
	});
}

export type PaymentPage = { url: string; session?: string };

export function paymentPageFrom(body: unknown): PaymentPage {
	const record = unwrapRecord(body, 'session', 'checkout');
	const fields = fieldsFrom(record.value, record.path);
	const url = addressFrom(fields.get('url', 'checkouturl'));
	if (!url) throw unreadableError(record.path, 'the https address of a payment page');
	return presentFields<PaymentPage>({
		url,
		session: textFrom(fields.get('sessionid', 'id')),
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
	return presentFields<Release>({
		version,
		channel: textFrom(fields.get('channel')),
		releasedAt: timeFrom(fields.get('date', 'releasedat', 'createdat')),
		title: textFrom(fields.get('title')) ?? textFrom(changelog.get('title')),
		description: textFrom(fields.get('description')) ?? textFrom(changelog.get('description')),
		changes: Array.isArray(changes) ? changes.flatMap(releaseChangeFrom) : [],
	});
}

function releaseChangeFrom(value: unknown): { type: string; text: string }[] {
	if (!isObject(value)) {
		const text = textFrom(value);
		return text ? [{ type: 'change', text }] : [];
	}
	const fields = fieldsFrom(value);
	const text = textFrom(fields.get('text', 'description', 'title'));
	return text ? [{ type: textFrom(fields.get('type')) ?? 'change', text }] : [];
}

export const modelsPageFrom = (body: unknown): Page =>
	pageFrom(body, ['models', 'items', 'results']);

export function modelFrom({ value, path }: WireValue): Model {
	const fields = fieldsFrom(typeof value === 'string' ? { id: value } : value, path);
	const prices = nestedFields(fields, 'pricing', 'prices', 'price');
	const id = textFrom(fields.get('id', 'name', 'model'));
	if (!id) throw unreadableError(pathTo(path, 'id'), 'the name of a model');
	return presentFields<Model>({
		id,
		owner: textFrom(fields.get('ownedby', 'owner', 'provider')),
		contextWindow: numberFrom(fields.get('contextwindow', 'contextlength')),
		inputPrice: numberFrom(prices.get('input', 'prompt')) ?? numberFrom(fields.get('inputprice')),
		outputPrice:
			numberFrom(prices.get('output', 'completion')) ?? numberFrom(fields.get('outputprice')),
	});
}
