import type { Computer } from '../world/computer.ts';
import {
	type AnswerContext,
	createEndpoint,
	type Endpoint,
	type EndpointAnswer,
	type EndpointRequest,
	htmlPage,
} from './endpoint.ts';

/** The endpoints without a sign-in: pages of published applications, and payment pages. */
export const publicEndpoints: readonly Endpoint[] = [
	createEndpoint('page', 'GET /v1/p/share/:token', sharedPage, 'public'),
	createEndpoint('page', 'GET /v1/p/:id/:port', portPage, 'public'),
	createEndpoint('pay', 'GET /pay/:id', paidPage, 'public'),
	createEndpoint('pay', 'GET /portal', portalPage, 'public'),
];

function sharedPage({ param }: EndpointRequest, context: AnswerContext): EndpointAnswer {
	const token = param('token');
	for (const computer of context.world.computers()) {
		const shared = computer.ports.find(({ shareToken }) => shareToken === token);
		if (shared) return applicationPage(context, computer, shared.port);
	}
	return missingPage;
}

function portPage({ param }: EndpointRequest, context: AnswerContext): EndpointAnswer {
	const computer = context.world.find(param('id'));
	return computer ? applicationPage(context, computer, Number(param('port'))) : missingPage;
}

function paidPage({ param }: EndpointRequest, { world }: AnswerContext): EndpointAnswer {
	const session = world.pay(param('id'));
	return session
		? htmlPage(200, 'Thank you', `${session.credits} credits are yours.`)
		: missingPage;
}

function portalPage(_: EndpointRequest, { world }: AnswerContext): EndpointAnswer {
	world.setPaymentMethod(true);
	return htmlPage(200, 'Payment', 'The payment method was saved.');
}

const missingPage = htmlPage(404, 'Nothing here', 'No application is published at this address.');

function applicationPage(
	{ world }: AnswerContext,
	computer: Computer,
	port: number,
): EndpointAnswer {
	if (!computer.ports.some(publishedPort => publishedPort.port === port)) return missingPage;
	world.visit(computer);
	switch (computer.state) {
		case 'active':
			return htmlPage(200, computer.name, `This is the application on port ${port}.`);
		case 'starting':
		case 'restarting':
		case 'updating':
			return htmlPage(502, 'One moment', `${computer.name} is waking up.`);
		default:
			return missingPage;
	}
}
