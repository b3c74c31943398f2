import type { Subscription } from '../fleet/account.ts';
import { acknowledgementFrom } from './acknowledgement.ts';
import { creditsFrom, paymentPageFrom, subscriptionFrom } from './decode-account.ts';
import { modelFrom, modelsPageFrom, releaseFrom } from './decode-catalog.ts';
import { readAll } from './paging.ts';
import type { Platform } from './platform.ts';
import { readable } from './readable.ts';
import type { Asking, Transport } from './transport.ts';

type Endpoints = Pick<
	Platform,
	'models' | 'latestRelease' | 'initializeBilling' | 'openPayment' | 'subscription' | 'credits'
>;

export function accountEndpoints(transport: Transport): Endpoints {
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
		async subscription(asking): Promise<Subscription | null> {
			const path = '/billing/subscription';
			const call = { ...asking, scope: 'other', method: 'GET', path, noneIs: null } as const;
			return subscriptionFrom(readable(await transport.send(call)));
		},
		async credits(asking) {
			return creditsFrom(readable(await get('/billing/credits', asking)));
		},
	};
}
