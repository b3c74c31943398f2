import type { Credits, Model, Release, Subscription } from '../fleet/account.ts';
import { responseLimits } from './body.ts';
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
import { readAllPages } from './paging.ts';
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
