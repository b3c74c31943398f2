import { checkoutBody, creditsBody, subscriptionBody } from './encode-billing.ts';
import { told, wrapped } from './encode-envelope.ts';
import { type Call, type Endpoint, endpoint, fieldOf, invalid, type Said } from './endpoint.ts';
import type { View } from './view.ts';

export const billingEndpoints: readonly Endpoint[] = [
	endpoint('initialize', 'POST /v1/billing/setup/initialize', initializeAnswer),
	endpoint('checkout', 'POST /v1/billing/checkout', checkoutAnswer),
	endpoint('subscription', 'GET /v1/billing/subscription', told(subscriptionBody)),
	endpoint('credits', 'GET /v1/billing/credits', told(creditsBody)),
];

function initializeAnswer(_: Call, { world, shapes }: View): Said {
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
	return { status: 200, json: wrapped(result, shapes.envelope) };
}

function checkoutAnswer({ body }: Call, view: View): Said {
	const credits = fieldOf(body, 'credits') ?? 25;
	if (typeof credits !== 'number' || !(credits >= 1 && credits <= 10_000)) {
		return invalid('credits must be a number from 1 to 10000');
	}
	const session = view.world.openPayment(credits);
	return { status: 200, json: wrapped(checkoutBody(view, session), view.shapes.envelope) };
}
