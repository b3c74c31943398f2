import type { Credits, Model, Release, Subscription } from '../fleet/account.ts';
import { type Acknowledgement, acknowledgementFrom } from './acknowledgement.ts';
import {
	creditsFrom,
	type PaymentPage,
	paymentPageFrom,
	subscriptionFrom,
} from './decode-account.ts';
import { modelFrom, modelsPageFrom, releaseFrom } from './decode-catalog.ts';
import { readAll } from './paging.ts';
import { readable } from './readable.ts';
import type { Asking, Transport } from './transport.ts';

export type AccountEndpoints = {
	models(asking: Asking): Promise<readonly Model[]>;
	latestRelease(asking: Asking): Promise<Release>;
	initializeBilling(asking: Asking): Promise<Acknowledgement>;
	openPayment(wish: { plan?: string }, asking: Asking): Promise<PaymentPage>;
	subscription(asking: Asking): Promise<Subscription | null>;
	credits(asking: Asking): Promise<Credits>;
};

export function accountEndpoints(transport: Transport): AccountEndpoints {
	const get = async (path: string, asking: Asking) =>
		transport.send({ ...asking, scope: 'other', method: 'GET', path });
	const post = async (path: string, body: object, asking: Asking) =>
		transport.send({ ...asking, scope: 'other', method: 'POST', path, body });

	return {
		async models(asking) {
			const { items } = await readAll(query => get(`/models${query}`, asking), modelsPageFrom);
			return items.map(modelFrom);
		},
		async latestRelease(asking) {
			return releaseFrom(readable(await get('/platform/sandbox/version/latest', asking)));
		},
		async initializeBilling(asking) {
			return acknowledgementFrom(await post('/billing/setup/initialize', {}, asking));
		},
		async openPayment(wish, asking) {
			return paymentPageFrom(readable(await post('/billing/checkout', wish, asking)));
		},
		async subscription(asking) {
			const path = '/billing/subscription';
			const call = { ...asking, scope: 'other', method: 'GET', path, noneIs: null } as const;
			return subscriptionFrom(readable(await transport.send(call)));
		},
		async credits(asking) {
			return creditsFrom(readable(await get('/billing/credits', asking)));
		},
	};
}
