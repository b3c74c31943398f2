import type { Credits, Subscription } from '../fleet/account.ts';
import { addressFrom, flagFrom, numberFrom, textFrom, timeFrom, told } from './decode.ts';
import { contentOf, recordIn } from './decode-envelope.ts';
import { fieldsFrom, isObject } from './fields.ts';
import { unreadable } from './platform-error.ts';

export function creditsFrom(body: unknown): Credits {
	const { value, place } = recordIn(body, 'credits');
	const fields = fieldsFrom(isObject(value) ? value : { balance: value }, place);
	const amount = (...names: readonly string[]) => numberFrom(fields.get(...names)) ?? undefined;
	const parts = {
		daily: amount('daily'),
		monthly: amount('monthly'),
		extra: amount('extra'),
		expiring: amount('expiring'),
		nonExpiring: amount('nonexpiring'),
	};
	const canRun = flagFrom(fields.get('canrun'));
	const balance = amount('balance', 'total', 'credits', 'remaining');
	const known = [balance, canRun, ...Object.values(parts)].some(each => each !== undefined);
	if (!known) throw unreadable(place, 'a balance');
	return { balance: balance ?? null, ...told<Omit<Credits, 'balance'>>({ ...parts, canRun }) };
}

/** Null where there is no subscription. */
export function subscriptionFrom(body: unknown): Subscription | null {
	const content = contentOf(body);
	if (content.value === null) return null;
	const outer = fieldsFrom(content.value, content.place);
	if (outer.get('subscription') === null) return null;
	const record = recordIn(body, 'subscription');
	const fields = fieldsFrom(record.value, record.place);
	const key = textFrom(fields.get('tierkey', 'plan', 'tier', 'plankey'));
	const name = textFrom(fields.get('tierdisplayname', 'planname', 'displayname')) ?? key;
	if (!key && !name) throw unreadable(record.place, 'a plan');
	return told<Subscription>({
		plan: (key ?? name ?? '').toLowerCase(),
		planName: name === key ? capitalised(name ?? '') : (name ?? ''),
		status: textFrom(fields.get('status')) ?? undefined,
		periodEndsAt: timeFrom(fields.get('currentperiodend')) ?? undefined,
		endsWithPeriod: flagFrom(fields.get('cancelatperiodend')),
	});
}

/** Where an account is paid for, to be opened in a browser. */
export type PaymentPage = { url: string; session?: string };

export function paymentPageFrom(body: unknown): PaymentPage {
	const record = recordIn(body, 'session', 'checkout');
	const fields = fieldsFrom(record.value, record.place);
	const url = addressFrom(fields.get('url', 'checkouturl'));
	if (!url) throw unreadable(record.place, 'the https address of a payment page');
	return told<PaymentPage>({
		url,
		session: textFrom(fields.get('sessionid', 'id')) ?? undefined,
	});
}

function capitalised(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}
