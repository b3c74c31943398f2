import { type PaymentSession, startOfNextMonth } from '../world/credits.ts';
import {
	type AnswerContext,
	createEndpoint,
	createRecordHandler,
	type Endpoint,
	type EndpointRequest,
	type EndpointResult,
	fieldOf,
	inEnvelope,
	invalidRequest,
} from './endpoint.ts';

export const billingEndpoints: readonly Endpoint[] = [
	createEndpoint('initialize', 'POST /v1/billing/setup/initialize', initializeAnswer),
	createEndpoint('checkout', 'POST /v1/billing/checkout', checkoutAnswer),
	createEndpoint(
		'subscription',
		'GET /v1/billing/subscription',
		createRecordHandler(subscriptionBody),
	),
	createEndpoint('credits', 'GET /v1/billing/credits', createRecordHandler(creditsBody)),
];

function initializeAnswer(_: EndpointRequest, { world, shapes }: AnswerContext): EndpointResult {
	if (!world.hasPaymentMethod()) {
		return {
			refused: {
				status: 402,
				code: 'no_payment_method',
				message: 'No payment method is known for this account',
				isPayable: true,
			},
		};
	}
	const result = { initialized: true, plan: world.plan, status: 'active' };
	return { status: 200, json: inEnvelope(result, shapes.envelope) };
}

function checkoutAnswer({ body }: EndpointRequest, context: AnswerContext): EndpointResult {
	const credits = fieldOf(body, 'credits') ?? 25;
	if (typeof credits !== 'number' || !(credits >= 1 && credits <= 10_000)) {
		return invalidRequest('credits must be a number from 1 to 10000');
	}
	const session = context.world.openPayment(credits);
	return { status: 200, json: inEnvelope(checkoutBody(context, session), context.shapes.envelope) };
}

function creditsBody({ world, shapes }: AnswerContext): object {
	const { total, daily, monthly, extra } = world.balance();
	switch (shapes.credits) {
		case 'parts':
			return {
				credits: {
					total: roundedCredits(total),
					daily: roundedCredits(daily),
					monthly: roundedCredits(monthly),
					extra: roundedCredits(extra),
					can_run: world.canRun(),
				},
			};
		case 'string':
			return { balance: total.toFixed(2) };
		case 'expiring':
			return {
				total: roundedCredits(total),
				expiring: roundedCredits(daily + monthly),
				non_expiring: roundedCredits(extra),
				daily: roundedCredits(daily),
			};
		case 'number':
			return { credits: roundedCredits(total) };
	}
}

const roundedCredits = (credits: number) => Math.round(credits * 10_000) / 10_000;

function subscriptionBody({ world, shapes, now }: AnswerContext): object | null {
	switch (shapes.subscription) {
		case 'full':
			return {
				subscription: {
					tier_key: world.plan,
					tier_display_name: world.terms.title,
					status: 'active',
					current_period_end: new Date(startOfNextMonth(now)).toISOString(),
					cancel_at_period_end: false,
				},
			};
		case 'plain':
			return { plan: world.plan, status: 'active' };
		case 'null':
			return null;
		case 'empty':
			return { subscription: null };
	}
}

function checkoutBody({ shapes, origin }: AnswerContext, { id }: PaymentSession): object {
	const url = `${origin}/pay/${id}`;
	switch (shapes.checkout) {
		case 'url':
			return { url };
		case 'checkout_url':
			return { checkout_url: url };
		case 'session':
			return { session_id: id, url };
	}
}
