import { latestOf } from '../world/releases.ts';
import { plans, refusedWith } from '../world/world.ts';
import {
	type AnswerContext,
	createEndpoint,
	type EndpointAnswer,
	type EndpointHandler,
	fieldOf,
	htmlPage,
	invalidRequest,
} from './endpoint.ts';
import { shaped } from './shapes.ts';

const models = (
	[
		['lantern-large', 'lighthouse', 400_000, 3, 15],
		['lantern-small', 'lighthouse', 200_000, 0.25, 1.25],
		['lantern-mini', 'lighthouse', 128_000, 0.05, 0.4],
		['sextant-2', 'meridian', 1_000_000, 1.25, 10],
		['sextant-2-flash', 'meridian', 1_000_000, 0.3, 2.5],
		['plumb-70b', 'open-water', 131_072, 0.59, 0.79],
		['plumb-8b', 'open-water', 131_072, 0.05, 0.08],
		['halyard-coder', 'rigging', 262_144, 0.4, 1.6],
	] as const
).map(([id, owned_by, context_window, input, output]) => ({
	id,
	object: 'model',
	owned_by,
	context_window,
	pricing: { input, output },
}));

function recordAnswer(
	{ shapes }: AnswerContext,
	name: 'version' | 'credits' | 'subscription' | 'checkout',
	values: Readonly<Record<string, unknown>>,
): EndpointAnswer {
	const value = shaped(shapes, name, values);
	return { status: 200, json: shaped(shapes, 'envelope', { value }) };
}

const latest: EndpointHandler = (_, context) => {
	const { releasedAt, ...release } = latestOf(context.world.releases());
	const date = new Date(releasedAt).toISOString();
	return recordAnswer(context, 'version', { ...release, date, channel: 'stable' });
};

const initialize: EndpointHandler = (_, { world, shapes }) => {
	if (!world.hasPaymentMethod)
		return refusedWith(402, 'no_payment_method', 'No payment method is known for this account');
	const value = { initialized: true, plan: world.plan, status: 'active' };
	return { status: 200, json: shaped(shapes, 'envelope', { value }) };
};

const checkout: EndpointHandler = ({ body }, context) => {
	const credits = fieldOf(body, 'credits') ?? 25;
	if (typeof credits !== 'number' || !(credits >= 1 && credits <= 10_000))
		return invalidRequest('credits must be a number from 1 to 10000');
	const session_id = context.world.openPayment(credits);
	const url = `${context.origin}/pay/${session_id}`;
	return recordAnswer(context, 'checkout', { session_id, url, checkout_url: url });
};

const subscription: EndpointHandler = (_, context) => {
	const { plan } = context.world;
	const today = new Date(context.now);
	const nextMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1);
	return recordAnswer(context, 'subscription', {
		plan,
		tier_key: plan,
		tier_display_name: plans[plan].title,
		status: 'active',
		current_period_end: new Date(nextMonth).toISOString(),
		cancel_at_period_end: false,
	});
};

const credits: EndpointHandler = (_, context) => {
	const rounded = (number: number) => Math.round(number * 10_000) / 10_000;
	const { total, daily, monthly, extra } = context.world.balance();
	return recordAnswer(context, 'credits', {
		total: rounded(total),
		totalText: total.toFixed(2),
		daily: rounded(daily),
		monthly: rounded(monthly),
		extra: rounded(extra),
		expiring: rounded(daily + monthly),
		non_expiring: rounded(extra),
		can_run: total > 0,
	});
};

const missingPage = htmlPage(404, 'Nothing here', 'No application is published at this address.');

function applicationPage({ world }: AnswerContext, id: string, port: number): EndpointAnswer {
	const computer = world.find(id);
	if (!computer?.ports.some(published => published.port === port)) return missingPage;
	world.visit(computer);
	if (computer.state === 'active')
		return htmlPage(200, computer.name, `This is the application on port ${port}.`);
	return ['starting', 'restarting', 'updating'].includes(computer.state)
		? htmlPage(502, 'One moment', `${computer.name} is waking up.`)
		: missingPage;
}

const sharedPage: EndpointHandler = ({ param }, context) => {
	for (const { id, ports } of context.world.computers()) {
		const shared = ports.find(({ shareToken }) => shareToken === param('token'));
		if (shared) return applicationPage(context, id, shared.port);
	}
	return missingPage;
};

const portPage: EndpointHandler = ({ param }, context) =>
	applicationPage(context, param('id'), Number(param('port')));

const paidPage: EndpointHandler = ({ param }, { world }) => {
	const paid = world.pay(param('id'));
	return paid > 0 ? htmlPage(200, 'Thank you', `${paid} credits are yours.`) : missingPage;
};

const portalPage: EndpointHandler = (_, { world }) => {
	world.hasPaymentMethod = true;
	return htmlPage(200, 'Payment', 'The payment method was saved.');
};

export const accountEndpoints = [
	createEndpoint('models', 'GET /v1/models', (_, { shapes }) => ({
		status: 200,
		json: shaped(shapes, 'models', { models }),
	})),
	createEndpoint('latest', 'GET /v1/platform/sandbox/version/latest', latest),
	createEndpoint('initialize', 'POST /v1/billing/setup/initialize', initialize),
	createEndpoint('checkout', 'POST /v1/billing/checkout', checkout),
	createEndpoint('subscription', 'GET /v1/billing/subscription', subscription),
	createEndpoint('credits', 'GET /v1/billing/credits', credits),
	createEndpoint('page', 'GET /v1/p/share/:token', sharedPage, 'public'),
	createEndpoint('page', 'GET /v1/p/:id/:port', portPage, 'public'),
	createEndpoint('pay', 'GET /pay/:id', paidPage, 'public'),
	createEndpoint('pay', 'GET /portal', portalPage, 'public'),
];
