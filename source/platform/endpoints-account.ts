import type { Credits, Model, Release, Subscription } from '../fleet/account.ts';
import { byteBounds } from './body.ts';
import {
	creditsFrom,
	modelFrom,
	modelsPageFrom,
	type PaymentPage,
	paymentPageFrom,
	releaseFrom,
	subscriptionFrom,
} from './decode-account.ts';
import { type Acknowledgement, acknowledgementFrom, jsonBody } from './json-body.ts';
import { readAll } from './paging.ts';
import type { RequestOptions, Transport } from './transport.ts';

export type AccountEndpoints = {
	models(asking: RequestOptions): Promise<readonly Model[]>;
	latestRelease(asking: RequestOptions): Promise<Release>;
	initializeBilling(asking: RequestOptions): Promise<Acknowledgement>;
	openPayment(wish: { plan?: string }, asking: RequestOptions): Promise<PaymentPage>;
	subscription(asking: RequestOptions): Promise<Subscription | null>;
	credits(asking: RequestOptions): Promise<Credits>;
};

export function accountEndpoints(transport: Transport): AccountEndpoints {
	const { catalog: mostBytes } = byteBounds;
	const get = async (path: string, asking: RequestOptions) =>
		transport.send({ ...asking, scope: 'other', method: 'GET', path, mostBytes });
	const post = async (path: string, body: object, asking: RequestOptions) =>
		transport.send({ ...asking, scope: 'other', method: 'POST', path, body });

	return {
		async models(asking) {
			const { items } = await readAll(query => get(`/models${query}`, asking), modelsPageFrom);
			return items.map(modelFrom);
		},
		async latestRelease(asking) {
			return releaseFrom(jsonBody(await get('/platform/sandbox/version/latest', asking)));
		},
		async initializeBilling(asking) {
			return acknowledgementFrom(await post('/billing/setup/initialize', {}, asking));
		},
		async openPayment(wish, asking) {
			return paymentPageFrom(jsonBody(await post('/billing/checkout', wish, asking)));
		},
		async subscription(asking) {
			const path = '/billing/subscription';
			const call = { ...asking, scope: 'other', method: 'GET', path, notFoundAs: null } as const;
			return subscriptionFrom(jsonBody(await transport.send(call)));
		},
		async credits(asking) {
			return creditsFrom(jsonBody(await get('/billing/credits', asking)));
		},
	};
}
