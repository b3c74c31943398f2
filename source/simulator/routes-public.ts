import { type Answer, page } from './answer.ts';
import type { Computer } from './computer.ts';
import { type AnswerContext, type Call, type Endpoint, endpoint } from './endpoint.ts';

/** Pages that can be opened without a token: published applications and payment pages. */
export const publicEndpoints: readonly Endpoint[] = [
	endpoint('page', 'GET /v1/p/share/:token', sharedPage, 'public'),
	endpoint('page', 'GET /v1/p/:id/:port', portPage, 'public'),
	endpoint('pay', 'GET /pay/:id', paidPage, 'public'),
	endpoint('pay', 'GET /portal', portalPage, 'public'),
];

function sharedPage({ param }: Call, view: AnswerContext): Answer {
	const token = param('token');
	for (const computer of view.world.computers()) {
		const shared = computer.ports.find(({ shareToken }) => shareToken === token);
		if (shared) return application(view, computer, shared.port);
	}
	return nothingHere;
}

function portPage({ param }: Call, view: AnswerContext): Answer {
	const computer = view.world.find(param('id'));
	return computer ? application(view, computer, Number(param('port'))) : nothingHere;
}

function paidPage({ param }: Call, { world }: AnswerContext): Answer {
	const session = world.pay(param('id'));
	return session ? page(200, 'Thank you', `${session.credits} credits are yours.`) : nothingHere;
}

function portalPage(_: Call, { world }: AnswerContext): Answer {
	world.setPaymentMethod(true);
	return page(200, 'Payment', 'The payment method was saved.');
}

const nothingHere = page(404, 'Nothing here', 'No application is published at this address.');

function application({ world }: AnswerContext, computer: Computer, port: number): Answer {
	if (!computer.ports.some(each => each.port === port)) return nothingHere;
	world.visit(computer);
	switch (computer.state) {
		case 'active':
			return page(200, computer.name, `This is the application on port ${port}.`);
		case 'starting':
		case 'restarting':
		case 'updating':
			return page(502, 'One moment', `${computer.name} is waking up.`);
		default:
			return nothingHere;
	}
}
